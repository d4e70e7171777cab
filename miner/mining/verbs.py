"""Whether words contain a finite verb: by lists of verbs, endings and neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from miner.mining.linking_phrases import word_set

# Forms that are always finite verbs; three sentences of four contain one.
FINITE_VERBS = word_set(
    "is are was were has have had does did can could would should may might must cannot am isn't aren't wasn't weren't "
    "don't doesn't didn't can't won't couldn't wouldn't shouldn't will shall"
)
_CLITICS = word_set("'s ’s 're ’re 've ’ve 'll ’ll 'd ’d n't n’t does did do be")
_PERSONAL_PRONOUNS = word_set("we they i he she it who which you")
_ADVERBS = word_set(
    "also only still then often even first always now not both all each never thus however next again very almost "
    "just already sometimes later soon once instead together indeed"
)
_DEGREES = word_set("more most less least quite rather too so")  # "more slowly" is an adverb
_VERBS_WITH_PREPOSITIONS = frozenset((("account", "for"), ("accounts", "for"), ("point", "to"), ("points", "to")))
_PAST_OF_PRONOUNS = word_set("included comprised contained consisted showed led became")  # "these included moss"
# "co-localize", "down-regulated"; but "well-defined" and "trade-offs" hold no verb.
_PREFIX = re.compile(r"(?:co|re|pre|de|up|down|mis|over|under|out|inter|fine|auto)[-‐‑](?=[^\W\d_]+$)", re.IGNORECASE)
_FOLLOWERS_OF_VERBS = word_set("on with to into more less that")
_NOT_BEFORE_VERBS = word_set(
    "the a an of in on by with for from to and or as at than its their our his her this that these those is into no "
    "more most less very between using under over such each all any both per via within without across through during "
    "after before about against among around above below behind beyond near upon toward towards throughout despite "
    "unlike like along since until because while whereas although when where if only also except including regarding "
    "given plus"
)
_DETERMINERS_OR_PRONOUNS = word_set("these those most both")
_AFTER_PLURAL_VERBS = word_set("the a an for on with to that how as in during")
_ENDS_NOUNS = frozenset(("of", "and", "or", ""))  # "the ranks of", "ranks and scores"
_DETERMINERS = word_set("the a an this these that their its our no")
_IMPERATIVES = word_set(
    "let note see consider recall assume suppose observe denote notice define remember refer set take"
)
# The verbs science reports with; they count as they are and with -s, -es, -d or -ed.
_VERB_STEMS = word_set(
    "show suggest indicate demonstrate provide require propose present describe contain include consist depend lead "
    "allow enable follow appear seem remain become increase decrease reveal confirm support explain reflect "
    "represent correspond differ vary involve perform produce occur affect cause yield achieve outperform improve "
    "reduce imply assume apply obtain report observe examine investigate explore evaluate compare consider address "
    "introduce exist tend play make take give find see use need want help serve act belong refer relate rely focus "
    "aim capture struggle infect adhere operate concentrate cooperate deal face employ retain extract transfer "
    "align amount accord elicit abolish better drift remove complicate cluster merit warrant merge integrate "
    "combine leverage generate predict estimate measure define denote determine identify highlight emphasize argue "
    "claim note conclude hypothesize state mention discuss receive exhibit display possess lack hold keep get go "
    "come begin start end stop fail succeed satisfy converge diverge grow rise fall drop exceed range encode "
    "express inhibit induce activate bind regulate mediate promote prevent contribute result agree suffer benefit "
    "stem arise emerge originate work learn treat know think believe expect feel mean ensure guarantee preserve "
    "maintain change create form share offer illustrate adopt utilize conduct enhance construct select facilitate "
    "comprise extend incorporate validate compute design develop establish implement run reach prove optimize "
    "derive replace encourage train pose surpass assess control deliver adapt analyze add generalize build recover "
    "assign collect minimize cover summarize restrict eliminate formulate mitigate quantify decompose incur enforce "
    "characterize isolate maximize verify stabilize expand seek degrade motivate balance guide accept aggregate "
    "bridge drive influence raise solve specify demand constrain attribute interact translate entail persist weaken "
    "impose outline suppress infer update evolve exploit admit embed avoid inherit distort attempt match lie "
    "discover complement permit refine simplify transform respond attain correlate participate encounter strengthen "
    "divide overlook overcome resemble coincide recommend exclude target carry perturb vanish center map adjust "
    "complete bundle undergo collapse depart cancel cost deserve hamper decouple solubilize spare warn continue "
    "understand detect calculate choose write handle distinguish protect meet alleviate simulate differentiate "
    "alter move stimulate manage constitute classify execute resolve interpret initialize visualize reproduce "
    "convert recognize accumulate proceed enter modify bring survive eat ask try formalize discriminate accelerate "
    "happen connect underscore encompass associate clarify die suppose wish shed favor favour ignore initiate "
    "prepare modulate synthesize stand exert tackle suffice locate confer behave decide discard amplify normalize "
    "arrive relax deviate accommodate omit foster acquire neutralize terminate disrupt recruit depict engage "
    "perceive elucidate speculate justify approximate pay anticipate dominate speak gather uncover accomplish "
    "communicate tell realize automate underestimate migrate propagate comply boost augment circumvent send "
    "concatenate fulfill look declare sustain acknowledge rewrite attach pursue deduce calibrate attend specialize "
    "violate penalize reconstruct catalyze fuse prefer lay say intend render elaborate endure hinder impair "
    "disagree expose govern signify preclude rotate phosphorylate corroborate reinforce deteriorate disappear "
    "overestimate emulate deploy inject intervene enumerate teach thrive refuse steer supervise repress annotate "
    "compress revisit reformulate dictate transmit strive allocate manifest compete announce truncate reside obey "
    "earn regularize appreciate germinate fluctuate conform contradict overfit showcase delve defer factorize "
    "underperform hide unify presuppose decode stay borrow convey hypothesise pick feed embody occupy disturb "
    "certify neglect recreate put predominate exemplify detoxify hybridize threaten defend generalise underlie "
    "underline devise lend parameterize emphasise equip enjoy evoke intensify characterise multiply inspire "
    "penetrate condense override prevail utilise dissipate distill oversee assert traverse cease append encapsulate "
    "widen correct sit prioritize submit consume excel cope destabilize diminish decline lag outweigh resort "
    "abstain reactivate redistribute compromise discourage dissociate intersect outcompete parse pertain presume "
    "restore solicit spark substitute suspect tolerate trigger upregulate downregulate undermine vote worsen "
    "circulate descend escape imitate instantiate deposit lengthen misclassify reappear reiterate spend subsume resist "
    "react sacrifice live lower slow destroy reverse inhabit fill affirm kill empower exit lose proliferate "
    "advocate secrete enrich attest deplete compensate inspect cleave impart harbor harbour precede assemble "
    "relieve cite scavenge reject lean assist coordinate attract retrieve narrow absorb deepen necessitate double "
    "conceal aid implicate concur impede potentiate commute shuttle prune dilute hurt culminate prescribe boil "
    "deform posit interconnect hydrolyze hydrolyse catalyse analyse unlock invest interrupt extrapolate distribute "
    "harm instruct coexist prohibit infest renew resume bestow designate shrink ferment innervate bypass defeat "
    "subtract reconfigure compel segregate orchestrate dovetail dampen obscure dissolve rescue supply frame poison "
    "reweight flower evaporate accrue erode flourish inactivate sequester lessen thicken soften oscillate orient "
    "loosen"
)
# Verbs that are as often nouns: they count only after a word that may be their subject.
_NOUN_STEMS = word_set(
    "account set feature sample scale limit process call monitor fit test study model read review output impact "
    "function experience stress track plot access draw gain return leave break bound split shift plan filter heat "
    "advance mimic host label release hope overlap project point mask group flow partition surface score link "
    "transport place input spread view tune rule rank image trace name mark query post list crop exercise travel "
    "visit experiment cut weight step shape save average count base source signal load forecast finish condition "
    "trade exchange equal question progress mix guess span position delay copy benchmark figure contact charge risk "
    "practice judge harvest fold fire transition sort respect join issue factor master lift hit forward blend survey "
    "code contrast peak profile register pool sum pair land sense witness combat near tie block close cross open "
    "switch cycle loop rest fuel mirror anchor sketch probe trust touch bear bias approach challenge concern conflict "
    "couple cost force fund guard hinge last matter number order pass proxy purchase push repeat request research "
    "resource rival rush scan search segment separate side smooth stack stage store stretch structure supplement tag "
    "term thread threshold time trail trend turn value voice wait walk watch waste wave weigh"
)
_IRREGULAR_FORMS = word_set(
    "found made gave became led took saw began kept held chose got went came lay rose fell grew knew wrote underwent "
    "meant felt thought brought built arose drew ran sought left lost met paid said sent shown showed stood taught "
    "told won happened bore bred clung dealt drove fed fled froze forgot hid hung leaned leapt lent overcame overtook "
    "rode rang sank sang sat slept slid sped spent stuck struck swam threw tore underlay understood woke wore"
)


def _forms(stems: Iterable[str]) -> frozenset[str]:
    forms = set[str]()
    for stem in stems:
        base = stem[:-1] + "i" if stem.endswith("y") and stem[-2] not in "aeo" else stem
        forms |= {stem, stem + "s", base + "es", base + ("d" if stem.endswith("e") else "ed")}
    return frozenset(forms)


_VERB_FORMS = _forms(_VERB_STEMS) | _IRREGULAR_FORMS
_NOUN_FORMS = _forms(_NOUN_STEMS)
_NO_VERBS = word_set("noise otherwise likewise precise concise wise size prize")
_VERB_ENDINGS = ("ize", "izes", "ise", "ises", "ifies", "ify", "ates")
_ADJECTIVE_ENDINGS = ("al", "ic", "ous", "ive", "ant", "able", "ible", "ary", "ful", "less", "ed", "ing", "est")
_PLURALS = word_set("people data criteria media children men women mice species series both others many most few some")


def contains_verb(tokens: Sequence[str]) -> bool:
    """Whether the tokens have a finite verb, or an imperative first.

    Generous: sentences without a verb are rarer than sentences whose verb is in no list.
    """
    lower_tokens = [  # "AT" is a noun, and "A" too, except at the beginning
        token if token.isupper() and (len(token) > 1 or (token == "A" and number)) else token.lower()
        for number, token in enumerate(tokens)
    ]
    if next((token for token in lower_tokens if token not in _ADVERBS), "") in _IMPERATIVES:
        return True
    before = previous = ""  # the last two words that are no adverbs
    after_adverb = False
    for token, following in zip(lower_tokens, [*lower_tokens[1:], ""], strict=True):
        if token in _CLITICS or token in FINITE_VERBS:
            return True
        if token in _ADVERBS or (token.endswith("ly") and token not in _VERB_FORMS):
            if previous in _DEGREES:
                previous = before
            after_adverb = True
            continue
        if after_adverb and token in ("and", "or"):
            continue  # "directly or indirectly"
        if not token.isalpha():
            token = _PREFIX.sub("", token)
        if previous and token.isalpha() and token not in _NOT_BEFORE_VERBS:
            if after_adverb and _is_singular_form(token) and previous not in _NOT_BEFORE_VERBS:
                return True  # "the reed slowly outgrows moss"
            if after_adverb and token in _NOUN_FORMS and following in _FOLLOWERS_OF_VERBS:
                return True  # "pages on moss rarely link to others"
            if _is_verb(previous, token, following) or _is_verb_in_agreement(before, previous, token, following):
                return True
        before, previous, after_adverb = previous, token, False
    return False


def _is_singular_form(token: str) -> bool:
    return token.endswith("s") and not token.endswith(("ss", "us", "is", "ics"))


def _is_verb(previous: str, token: str, following: str) -> bool:
    """Whether the token is a verb by its form and its neighbours."""
    if previous in _PERSONAL_PRONOUNS:
        return True
    has_verb_form = token in _VERB_FORMS or (token.endswith(_VERB_ENDINGS) and token not in _NO_VERBS)
    if previous in ("this", "that"):  # "this results in", "this represented the"
        is_form = has_verb_form or token in _NOUN_FORMS
        return is_form and (token.endswith("s") or following in _NOT_BEFORE_VERBS)
    if previous in _DETERMINERS_OR_PRONOUNS:  # "these account for", "most lack"
        is_form = has_verb_form or token in _NOUN_FORMS
        is_plural = is_form and not token.endswith("s")
        return is_plural and (previous == "most" or following in _AFTER_PLURAL_VERBS or token in _PAST_OF_PRONOUNS)
    if previous in _NOT_BEFORE_VERBS:
        return False
    if has_verb_form or (len(token) > 4 and token.endswith("ed") and following != "by"):
        return True
    if token in _NOUN_FORMS and (following in ("as", "if", "when") or _says_how(following)):
        return True  # "bonds in the shell function as"
    if (token, following) in _VERBS_WITH_PREPOSITIONS:
        return True
    if following in _FOLLOWERS_OF_VERBS and _is_singular_form(token) and previous[-1] != "s":
        return True  # "the advice rests on", where a noun would rather be followed by "of" or "in"
    return following in _DETERMINERS and not token.endswith(("ing", "ed", "en", "ion"))


def _says_how(following: str) -> bool:
    return following.endswith("ly") and following not in _ADVERBS


def _is_verb_in_agreement(before: str, previous: str, token: str, following: str) -> bool:
    """Whether a token that may be a noun or a verb is a verb: it agrees with the noun before, and more follows."""
    if token not in _NOUN_FORMS or following in _ENDS_NOUNS or previous in _NOT_BEFORE_VERBS:
        return False
    if previous.endswith(_ADJECTIVE_ENDINGS) or (previous.endswith("ent") and not previous.endswith("ment")):
        return False
    plural = previous in _PLURALS or before == "and" or (previous.endswith("s") and not previous.endswith(("ss", "us")))
    return plural != _is_singular_form(token)
