"""Abbreviations of scientific prose, by whether a sentence can end with them; in lower case, without the final stop."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never at the end of a sentence: a name, an example or a number follows.
LEADING = _words("""
    a.k.a approx c.f cf dr drs e.g eg i.e ie mr mrs ms prof s.t vgl viz vs w.r.t
""")
# Also ordinary words: abbreviations only before a number or a code.
NUMBERED = _words("""
    app apr art aug ch col dec dev ex ext feb gen int jan jul jun lett mar no nos nov oct rep sec sen sept ser std str
    ver
""")
# At the end of a sentence if a word follows that often starts sentences.
EITHER = _words("""
    a.d a.m acad adv ae al alg ann appx assoc avg b.c b.sc biol bull c.e c.i ca capt chap chem chr co comm commun
    conf cor corp cv cx d.c d.f def dept e.u eds eq eqn eqns eqs et.al etc exp f.sp fig figs gov hon i.d i.i.d i.p
    i.v ibid inc inst j jr lem llc lt ltd m.d m.sc med mt n.s natl nr p.m para ph.d phys pp proc prop ref refs rem
    rept resp rev s.d s.e s.e.m sci secs sect sgt soc sp spp sr ssp st subsp supp suppl symp tab tabs tbl thm trans
    u.k u.n u.s u.s.a univ var vol vols
""")
# Before a name.
NAME_TITLES = _words("Dr Mr Mrs Ms Prof")
# With a capital: before a name, unlike the words of the same letters above.
TITLES = _words("Col Gen Rep Sen")
