"""Abbreviations of scientific prose, by whether a sentence can end with them; lower case, without the last stop."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Something must follow: a number, a name, an example.
LEADING = _words("""
    a.k.a acad adv ae alg an ann app approx appx apr art assoc aug avg biol bull c c.f ca capt cf ch chap chem
    col comm commun conf cor cv cx dec def dept dr e.g eds eg eq eqn eqns eqs ex exp ext f.sp feb fig figs
    figure.s gen gov hon i.e ie inst int j jan jul jun lem lett lt mar max med min mr mrs ms mt natl no nos nov
    nr oct para phys pp proc prof prop ref refs rem rep rept resp resp. rev s.t sci sec secs sect sen sept ser
    sgt soc ssp st subsp supp suppl symp tab tabs tbl thm trans univ var viz vol vols vs w.r.t
""")
# A sentence may end with them, when what follows opens one.
EITHER = _words("""
    a.d a.m al b.c b.sc c.e c.i co corp d.c d.f dr.sc e.u et.al etc i.d i.i.d i.p i.v ibid inc jr llc ltd m.d
    m.sc n.s p.m ph.d s.d s.e s.e.m sp spp sr u.k u.n u.s u.s.a
""")
ABBREVIATIONS = LEADING | EITHER
