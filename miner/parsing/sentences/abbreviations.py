"""Abbreviations of scientific prose, by whether a sentence can end with them; lower case, without the last stop."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Something must follow: a number, a name, an example.
LEADING = _words("""
    a.k.a ae alg appx approx c.f ca cf chap chr cor cv cx def dept dr drs e.g eds eg eq eqn eqns eqs f.sp fig figs
    gov i.e ie lem mr mrs ms nr para pp prof prop ref refs rem s.t secs sect subsp ssp supp suppl tab tabs tbl thm
    vgl viz vol vols vs w.r.t
""")
# Words and units too: something must follow only where a number does.
NUMBERED = _words("""
    app apr art aug ch col dec ex ext feb gen int jan jul jun lett mar no nos nov oct rep sec sen sept ser str
    ver
""")
# A sentence may end with them, when what follows opens one.
EITHER = _words("""
    a.d a.m acad adv al ann assoc avg b.c b.sc biol bull c.e c.i capt chem co comm commun conf corp d.c d.f e.u
    et.al etc exp hon i.d i.i.d i.p i.v ibid inc inst j jr llc lt ltd m.d m.sc med mt n.s natl p.m ph.d phys proc
    rept resp rev s.d s.e s.e.m sci sgt soc sp spp sr st symp trans u.k u.n u.s u.s.a univ
    var
""")
