<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Looking for backups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backing up {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{project} is open in a window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it there, then restore the backup.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restoring {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The parts that are finished are kept. Mine again to go on with the other papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking for papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining into {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no shard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write which of how many, from 1: --shard 17/400</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pulled from the corpus {place} ({which}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading pairs of {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pulling from {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new project was not made. In one that was there, the papers pulled so far are kept: pull again to go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pushing to {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was pushed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settling {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The corpus is as it was settled before. Settle it again to go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the pairs of {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shards that are judged are kept. Suggest again to go on with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggesting relations by {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all {pairs}: the classes have the same number already.{absent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, balanced in each split and domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kept:,} of {pairs}{parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kept}; {rarest} has the fewest, {fewest:,}.{absent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} in {filter} has 0 of {pairs:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{named} and so on for {more:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Where a class has no pairs, only the others are balanced: {text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To keep more, annotate more pairs of this class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To keep more, mine more neutral pairs for each linked one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To keep more, add papers, or linking phrases of your own for this class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they would add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in a sample of {papers:,} of {all_papers:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {reliable:,} of them by reliable phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To keep more, switch on its {phrases} of the extended lexicon: {they} {added}{sample}{reliable}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} mined from {files}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} mined before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} no paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When all papers are mined: pairwright corpus settle {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} given more than once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} a pair with another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{written:,} of {shards} written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} damaged and left out. Mine again, then settle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no shard has changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of {papers} pulled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{meet} the conditions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{known:,} of them were there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The corpus was mined by {made_by}; mining here would find other pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{events} pushed to {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{known:,} were there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{elsewhere:,} more are about pairs that the corpus does not have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A conflict is a pair that one person has answered differently in two projects; the later answer counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{url}, schema {schema}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has changed since the last load into {where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{events} of annotators loaded into {where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of {papers} loaded into {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{changed:,} of {shards} had changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{events} of annotators loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} judged by {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} have a suggestion, in {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {labels} that people answered, {wrong:,} {were} wrong (95 % interval: {low:.0f} to {high:.0f} %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>were</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of ten labels that {model} doubts, about {wrong} are wrong. This was measured on other papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels {label} are not listed: of {answered} that people answered, only {wrong:,} {were} wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels {label} are not listed: {model} finds {label} too rarely for its doubts to help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left_out:,} left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and the files cannot be rebuilt from {manifest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} to be mined, because papers were added or changed since the last mining, or mining was stopped: pairs may be missing or out of date{lost}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same number of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same export would have {more} now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} added since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no paper was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its options are of a newer version of Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The earlier export in this folder was {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answered:,} with {answers} of annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{with_kinds:,} with kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unlabelled:,} without a label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{known:,} already there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{duplicates:,} with the same two sentences as another pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{predictions} of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has labels other than the four relations; those rows were left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An experiment can read files of any classes: files = { test = ... } and classes = &quot;found&quot;. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If it has kinds of reasoning, “pairwright kinds FILE” counts them as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line:,}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line:,}: the label is {here} in the file and {there} in the project, which keeps it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} another label in the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} in another split of the project already, which is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} in another split than this file says: a paper has one split, test before dev before train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} now in the split that this file says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line:,}{value}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {rows:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: nothing was imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{complete:,} of {sentences} are complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured {pairs}; {parsed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} found in {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{candidates} dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} mined before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its text is unusual. Please report it, with the paper if its licence permits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper {md5} has no pairs: mining it took too much time or memory, or met a bug.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filter {name} is new, and switched on. {filter}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is the rarest linked class: {pairs:,} of the {whole}&apos;s {pairs_2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All phrases of the extended lexicon for this class are switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{on}. More papers, or linking phrases of your own, would add pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{spare} switched off{gain_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators agreed with {agreed:,} of {pairs} found by these phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agreement} (95 % interval: {low:.0f} to {high:.0f} %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair found by these phrases has been annotated yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and would add {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of them, {phrases} {are} reliable{adding}: {reading}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{right:,} of {pairs} that were read by hand are {label} (95 % interval: {low:.0f} to {high:.0f} %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is switched off and reliable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are switched off and reliable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} {off}: in {sample} they would add {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} to the {pairs_2:,} there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: in {papers} they would add {added}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sample of {papers:,} of {all_papers:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all {papers:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the one paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>judged by cross-validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held out for validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with a suggestion by {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{new:,} of them new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {seconds:,.1f} s ({device})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on {answers}: expected calibration error {ece} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confidence was adjusted (temperature {temperature:.2f}) {fitted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” (run {run}) learned from {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{learned} in {seconds:,.0f} s ({device})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>macro F1 {best}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped early; the best so far is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On {pairs} {pairs_2}: {figures}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gone:,} removed, {changed:,} with another label or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>During training, {examples} changed in the project: {now}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train again to learn from the current labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>macro F1 {macro_f1}, accuracy {accuracy} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, calibration error {calibration_error} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On {answers}: {scores_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{replaced:,} parsed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{failed:,} could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lead} out of its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignored {ignored}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{hidden} left out that cannot be seen on the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is another file of a known paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are other files of known papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{linked:,} of them {files}: a PDF and its XML are one paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new paper was in a release before it was removed, and stays in its split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new papers were in a release before they were removed, and stay in their splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: {splits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {field} of {papers} is now {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{keep} the domain or year that was set by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} came in versions that differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} not in English ({parts}), so no pairs are mined from {them}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned from {papers} where sentences end. No sentence changed, so all pairs stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned from {papers} where sentences end: {changed} split into other sentences than before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No opener of {papers} seems to announce a relation; {openers} scored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{phrases} of {papers} may announce a relation; {openers} scored by the model {model}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The expected precision is the model&apos;s estimate. Read some examples of a phrase before you switch it on, and look at its agreement in the lexicon once people have answered some of its pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share:.0f} % ({low:.0f}–{high:.0f})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the model&apos;s probabilities for {scored} of the {pairs} from {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People gave {right:,} of {answered} this relation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {answers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of {name} is new: {there} {are} already there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answers} already there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added {name}: {joined}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New annotators: {people}. People of the same name count as one person.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{roles} had another role in {name}; the role in this project counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} had the same answer of the same person in both projects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pair was annotated that is not among the pairs of this project yet: it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs were annotated that are not among the pairs of this project yet: they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{counted} kept, and counted as soon as mining finds them with this project&apos;s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} corrected differently in the two projects; the later text counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{title}” is in {there} in {name}, and stays in {here} here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} another domain in {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} split into sentences in another way than this project would. To split all papers in the same way, learn abbreviations again; the pairs whose sentences change are then others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project&apos;s split says which of the added papers are in train, dev and test.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not taken over from {name}: {staying}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conflict: {conflict_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} answered differently in the two projects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} by {how}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has {references}; {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> without a reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{references} without a paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} not matched for certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{references} that could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not matched: {left}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{values} taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{confirmed:,} confirmed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{conflicts} left as {it}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paper not matched for certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>papers not matched for certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, line {line:,}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference that could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>references that could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (set by hand)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{paper}: {field_name} “{now}”{by_hand}, but “{new}” in the reference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And {more:,} more {noun}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of round {round:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of the round left out, because they were removed or marked as bad.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send {beside} together with {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was there already, without answers, and was left as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {pairs} for {name_2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct these rows, and merge the file again; the other rows are not merged twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} of {path} {verb} not merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{unanswered:,} unanswered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of {name} had the same answer in two places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{notes} of {name} {was} merged too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The annotator is called {called} in the file and {name} in this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of the file {is_} no longer in the project; the answers are kept, and count if the project has the pairs again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer is to a pair that is now in train: it corrects the label there, but does not count as a vote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answers are to pairs that are now in train: they correct the labels there, but do not count as votes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{counted} for a gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ahead} dated in the future: the clock of {name}&apos;s computer is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} answered differently in two places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, round {round:,}: {joined}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answer_text} on {astimezone:%Y-%m-%d %H:%M}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, because it is later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, which was given since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answer_text} counts{reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither counts, because it was withdrawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} answered {here} and {there}; {holds}. “{pair}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no relation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number:,}: {pairs} for {names}.{votes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Krippendorff’s α</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gwet’s AC1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next: {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no suggestions yet. A model makes some on the Model page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {suggestions} with a confidence of {percent} % or more whose pairs people answered, {wrong:,} {were} wrong. So, of other such suggestions at most {most} % are wrong, with 90 % certainty, if their pairs are like the answered ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {most} % wrong cannot be promised yet: it takes {needed} or more to pairs that the model has not learned, and there are {answers:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {most} % wrong cannot be promised: by {answers}, the model is too often wrong even where it is most confident, or there are too few answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Publisher’s XML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no text layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no text found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too many pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>took too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too much memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crashed the parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>met a bug</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forged copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other XML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsafe XML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nested too deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hidden text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unreadable line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only an abstract</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not in English, and linking phrases are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sentence starts with a linking phrase; there is only an abstract.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sentence starts with a linking phrase; there are fewer than {short} sentences.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sentence starts with a linking phrase that is switched on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no {property}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} not read: {value_name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} without pairs. {why_no_pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} {verb} something to check: {value_name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most sentences with a linking phrase were dropped for one reason. {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} cannot be read: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{free:,.1f} GB free at {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a Python whose SQLite has full-text search, such as python.org&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sqlite_version}, without full-text search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sqlite_version}, with full-text search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read only the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connect to nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in processes of their own, which this system does not confine further</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in processes that {held}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trial of torch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not start: {exc}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This torch cannot use the NVIDIA card that is here. {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, so no window can open here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The commands need none: pairwright --help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are some</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install one, such as the package fonts-dejavu-core of Debian and Ubuntu, for the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No window can open on it: {exc}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>windows can open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{version} at {url}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional: the built-in parser needs no server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{health} at {url}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore a backup.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is intact, and can only be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is intact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of it is written. Export again when there is time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine papers, or import a data set, first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no pairs to export; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair is left to export; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at what the options leave out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking into the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at what would be exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading stopped here: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next rows took more than {seconds:.0f} seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next rows took more than {megabytes:,} MB of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importing into {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rows read so far are kept. Import the files again for the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the files of a data set, or their folder. A folder of papers is added: pairwright add FOLDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no data set in {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process that read it ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is an answer file: the answers of {name_2} to round {round:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the project that it was sent from, and add the other one there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is this project itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding {stem} to {stem_2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was added so far is kept, and one undo takes it back. Add the project again for the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split the papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splitting the papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The split of the papers has not changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filters of dev and test have papers in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose filters that have no papers in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No paper matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the filter: pairwright papers list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No paper has a gold label by several people.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: pairwright split set --shares 70/10/20</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no papers yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers and mine them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold labels: {before:,} before, {after:,} now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no folder {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the folder that the papers are in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rebuilding {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing of it is written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} was changed since the export. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the folder again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An imported data set is missing or changed: SHA-256 {missing} of its uncompressed content. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put its file into the folder of papers, and rebuild again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sentence parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} {there} (here {here})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The papers&apos; sentences were split with other parameters after the papers were mined, and the data set was exported before they were mined again. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the project that it was exported from, mine and export again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The papers were mined with other versions: {differing}. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the same versions, and rebuild again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by shared sentences, because they name no paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by the split that their file states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>receipt.json names all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} left out: {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split: {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is released. Release again when there is time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing {name} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing with {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting what papers yield</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by year, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shares}, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shares add up to {total:g}, not to 100. They are taken as {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} {is_there} % (asked for: {wanted} %)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shares of the pairs: {parts}. A paper goes into one split as a whole, and stays in that of an earlier release or an imported file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{years} of {domain}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the other domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Years that are in no split: {gaps}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a train paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they are all train papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only {papers}, too few to have one in each of train, dev and test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{without:,} without a year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{elsewhere:,} of years that are in no split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{others:,} of domains for which no years are given ({domains})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {papers:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers left out: {parts}. {they_are} {value}{all_of_them}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaks: {parts} {is_} in more than one split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No leaks: no paper and no sentence is in two splits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {near} in another split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> No near-duplicate sentences are in different splits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {pairs} of {split}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splits of the project share {found}. Exports and releases leave out pairs of train that share one with dev or test, and pairs of dev that share one with test: of all pairs, with and without a gold label, {pairs}. Two papers may be versions of one: to find and merge them, pairwright papers duplicates, or Duplicates on Papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splitting {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for leaks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GGUF files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PySide6-Essentials</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The starter and BERT models trained with Pairwright judge with numpy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the installation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{program_version}, installed {how_installed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright needs 3.11 or newer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>module names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no other package has them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{missing} {is_} not installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional. {remedy}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spaCy model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optional: with one, sentences without a verb are found more surely. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none; rules do its work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>experiment {id}, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no experiment {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See: pairwright experiment --list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment {number} has the classes {classes}, not the four relations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tables can have a column for each kind: columns = &quot;kind&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, trained on {train}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: its first run of {seeds}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment {number} has predicted none of the pairs with answers about kinds of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run one that is tested on them: pairwright experiment kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has learned {left_out:,} of these pairs: left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no pairs that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} could not be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators&apos; label is the pair&apos;s in {share} of {answered:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>explaining errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer pairs first, or name a file: pairwright kinds taxinli_dev.tsv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no answers about kinds of reasoning yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {unknown:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not counted, as {name} does not have them: {unknown}{more}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exports leave out some of these pairs: {reasons}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TaxiNLI’s annotators: average κ 0.226, IoU 0.241, the pair’s label in 86.7 % of answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>* p &lt; .05, ** p &lt; .01, *** p &lt; .001, Wald’s test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>κ is not defined for any category, because all annotators always gave the same answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average κ {signed} of {categories}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IoU {iou:.3f} over {answers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; {iou_ticked:.3f} over the {ticked_pairs:,} where somebody ticks a category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>({low:.1f} to {high:.1f})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators give the pair’s label in {value:.1f} % {interval} of {answers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value:.1f} % {interval} of {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators give the direction that the linking phrase announces in {text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cohen’s κ of annotators and phrases: {signed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For {pairs} annotators agree on no direction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} no phrase that announces a direction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only one person has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who} answered all questions about {pairs}, so agreement cannot be measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{people} answered, but no pair was answered by two of them, so agreement cannot be measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and at least {min_pairs} are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The errors cannot be explained: {problem}{needed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out, because they are the same for all pairs or follow from others: {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair of that split has the labels and the filter of the set: choose others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the experiment {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This version cannot run systems of this kind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reference} is not there. Choose a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} is no folder or file. Choose one, or type the address of a server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking for splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is on another computer. Choose a file of this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {file}. Choose one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{triples} is on another computer. Choose a folder of this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no folder {triples}. Choose one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs of the set {name} have no domains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give papers domains first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files of the set {name} have no triples, so no `probe` can be made of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the probe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The papers give {positives} with negatives, too few for </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers of one field, or lower the thresholds: negatives = { predicates = 2 }</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}the {part} part of the set {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name your own files: pairwright experiment NAME --template writes the experiment&apos;s file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The set {name} needs the file {path}, which does not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is a filter as `pairwright pairs --json` shows it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`where` of {name} cannot be used: {exc}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`where` of {name} cannot be used: {exc}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the set {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} of {name} could not be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test parts have fewer than two labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the classes: [classes].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A probe is divided by paper: add papers, until each part has directed, restating and neutral pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its folder needs a file for each part, with pairs of these groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer the questions of the page Kinds first, or name a file with a column for each kind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No test pair has kinds of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part} part of the set {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review pairs first, or write labels = &quot;gold or distant&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair of the {which} has a {choice} label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {which} has no pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair matches its `where`: change that, or add pairs, such as more papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split the papers first, or import a data set with splits: pairwright split set --shares 70/10/20</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No set has a test part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add for example: test = {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} needs the train part of the set {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add: train = {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to learn from: no set has a train part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add for example: train = {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on distant labels too, or name fewer classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The train part of the set {name} has no {missing} pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test part of the set {name} has no {missing} pairs: an F1 of 0 there counts in its macro F1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and no </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment {id}, {name}, maps no pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ready experiment cartography, “Which training pairs teach a model most?”, makes one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map of experiment {id}, {name}, is not there: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the experiment again: it makes the map and keeps what is computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading a data map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A map cannot be written as {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name it with {kinds}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving a data map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no experiment {id}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map of experiment {id}, {name}, is damaged: {exc}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the experiment is still running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the experiment was stopped before it had one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the experiment failed before it had one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its file was deleted, or belongs to a copy of the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not computed: {failure}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting confusions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading misread rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trained on {train}, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not computed: {trained}tested on {test}. {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may have been forgotten.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The set {name} has {pairs} to learn from, too few for samples of two sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name smaller `samples`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, trained on {train}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is computed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the experiment first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No system&apos;s title has “{system}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are: {groups}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No experiment has these results any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These systems misread no pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or they are not computed yet: run the experiment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import the file with the test pairs, then run the experiment on the project&apos;s own split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the pairs that are misread is in this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have tagged all pairs that are misread here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the counts of their tags.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimating the time of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cells} cannot be computed:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be computed now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to compute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cells} to compute, from predictions that are there already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> How long {list} will take is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cells} to compute.{unknown}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by the speed of earlier runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a rough guess until a run has been measured here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cells} to compute: about {seconds} on this computer, {how}.{unknown}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a ready experiment or a TOML file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment {id} is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it first; what is computed is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget the experiment “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgetting an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleting forgotten experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a layperson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give somebody the role: pairwright people role NAME {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody in this project is {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a person</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw test pairs for them: an annotation round of the kind estimate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No test pair has been answered by {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It must have the sentences of the test pairs, or their keys, as they are here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No test pair has a prediction in {source}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} has no prediction for {pairs} of {wanted:,}: no answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>person {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: {who} says nothing of the test pairs of {test}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {line:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} of {name} could not be used ({first}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the column {column}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pair {number:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are {known}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a data set that has it, or name a `file`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No imported pair has a column {column}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (and {unknown:,} more labels)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The classes are {others}: map others to them under [classes], or leave cells empty for no answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source}, {where}: {label!r} is none of the classes{more}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pair has two different predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs have different predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{differing:,} {what} in {source}: the first one counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the cells of an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the results of experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of a class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may be deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variability: how much the probability of the label changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confidence: mean probability of the label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers of the same field: pairwright add FOLDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} without a year could not be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} took too much time or memory and could not be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{few} has {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{few:,} of {papers:,} windows have {sizes:,} to {sizes_2:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{which}: too few to find what papers do not say. A set worth the name needs some thousands of papers of one field; fewer than {few_papers:,} give a sample of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {empty:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No negative could be made in {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Negatives are made of whole papers: only a domain can be chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use --domain NAME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of these papers has a year.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use windows by domain alone, or give papers years.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no papers to find propositions in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking for negatives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only a set with probe = &quot;negatives&quot; has predicates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the file of the graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A line is a predicate, one that it entails, and a score from 0 to 1, with tabs between them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has no edge ({problem}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lines} of {name} could not be used ({problem}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has an edge for {known:,} of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the project&apos;s papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The test pairs have no predicates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files of a set are triples, or none is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} does not begin with a pair of propositions, as triples do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading directions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: the sentences are sent to {host_of}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading propositions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run begins with that, about half a second a paper; what is parsed is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} must be parsed to find propositions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finding propositions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is computed is kept; run the experiment again to compute the rest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data have changed since this experiment was run: these results replace its earlier ones. Its predictions on the earlier data are kept; run on that data again, the experiment shows them at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running the experiment {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} of {missing}: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: {what} of the same model {verb} made earlier ({device}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The training dynamics are missing, so no subset can be taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The training dynamics are of other pairs, so no subset can be taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until it is done, or stop it: two at a time would only slow each other down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An experiment of this project is running already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The encoder {encoder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a GloVe text file, beside the experiment&apos;s file or with its whole path; or &quot;spacy:&quot; and a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file of word vectors {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vectors in {path} cannot be read: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was kept: start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Placing pairs by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the pairs by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers cannot be written as {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving the pairs by layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Placing the pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A category&apos;s column has its name: lexical, syntactic, factivity …, or lexical_linguistic as in TaxiNLI.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has no pair with a kind of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layers of a model say something from {min_pairs} pairs on, and there are {placed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({pairs} with more than two kinds left out)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer more pairs on the page Kinds, or name a file: kinds FILE --layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making negatives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parsed papers are kept; run it again to go on with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave {name} in the folder that `pairwright probe negatives --out` wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{bundles} cannot be read: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It must be the file that `pairwright probe negatives --out` wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{bundles} is no file of negatives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is too large to be a judged file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} cannot be read: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the judged file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is not UTF-8 text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as tab-separated text in UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading judgements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making the mesh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exchanged sentences, {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exchanging sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting what more phrases would give</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the lexicon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for examples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting pairs by phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying the mining settings on a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ending the sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the mining settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project has no papers yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add some first: pairwright add FOLDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs mined so far are kept. Mine again to go on with the other papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are being mined. The pairs found in them come here when that is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reference} is a column of a project, and none is named.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name it: --project FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a file that has it: pairwright import FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No column {column} has a prediction for these pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{without} no prediction in the column {column}: left out of its scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model was named.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: --model {starter_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evaluating models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose pairs it does not know, or take what it says of them too: --learned take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {name} has learned all {items:,} pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no project to take labels from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name one, or a labelled file: --data FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no distant labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine the papers first: pairwright mine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer some pairs first, or take other labels: --data FILE, or --distant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no answers of people to evaluate on; accepted suggestions do not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distant labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>people&apos;s answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no labelled pair in {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; about {percent} of the pairs labelled {label} seem to be {suggested}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is sure it is {suggested} ({its}), not {label} ({own}){often}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model suggests {suggested} ({its}) rather than {label} ({own}){often}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model cannot decide between {label} ({own}) and {suggested} ({its}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} is most likely ({own}), but {suggested} is close ({its}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model also suggests {label} ({own}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting the model {reference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its files are in {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not a model of Pairwright, so there is nothing to export.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} has files already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a new or an empty folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} cannot be read: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its first pair takes longest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {name} needs more memory than there is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a smaller one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {name} did not answer for half an hour.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process of the model {name} ended by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Often that is a lack of memory: close other programs, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the processor (--device cpu), or another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {name} gives no numbers for some pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for new linking phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counting openers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mining by the frequent openers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project has too few {label} pairs: {pairs} of {least} that openers are compared with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine the papers first, or add more papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scoring pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes with Pairwright; a small model trained on pairs mined from openly licensed papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is missing from this installation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train it first: pairwright train --start {reference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is an encoder that knows no relations yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its folder on this computer is not known: choose it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its folder {path} is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for a safe confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions made so far are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions made so far are kept. Suggest again to continue with the other pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no pairs to make suggestions for yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers and mine them first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{before}, which gives slightly different numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an earlier version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs were scored again on {device}: their suggestions were by {by}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The suggestions so far are by {arithmetic}, the next ones would be by {arithmetic_2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggest again to have all suggestions from one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best model so far is kept, and the run can be resumed under Train.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training from {start}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resuming a training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run {name} is finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files of the run {name} are missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete it, and start a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} started from {start}, on another computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that {name} started from has changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} began in a version that learned from dev and test splits too, and the project has some.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss {loss:.3f}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It met a bug of Pairwright&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best epoch is chosen on {pairs} of the dev split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of the test split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(without a gold label, too few to choose by, or known to the model before)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of the dev split {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with a sentence of dev or test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of papers without a split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: {left_out}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting what there is to learn from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading {number:,} labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only {answers} of annotators: from {min_answers} on, the confidences of the model are calibrated on them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{labels} too few to learn from: train on the distant labels too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the model again. Without this file it is not known what the model has learned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {exc}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model is being trained for this project already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the training runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run {name} is training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleting a training run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no training run {run}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See: pairwright train --list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{models} has too many folders called {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the run another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was moved or deleted. Open it from its new place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is write-protected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, so it is read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is on a network drive that cannot lock or share files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is open in this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is open in another window ({who}), so it is read-only. Close it there to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process {process} on {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit before it is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An audit compares classes: mine or import pairs of others too, or audit other labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All {total:,} pairs are {label}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guessing labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auditing the pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drawing pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of the domain “{domain}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of no domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer pairs under Review first, or audit the distant labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs{where} have a gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no labelled pairs{where}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine the papers, or import a data set, first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrase at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrase near the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Final punctuation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Citations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of the premise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of the hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neutral against linked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words of a class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessing from the hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessing from the premise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessing from both sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix before release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worth a look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few pairs to say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>labels as exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin with a capital</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin with a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have a linking phrase near their start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do not end in a full stop, exclamation or question mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have a citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have a digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All hypotheses end in a full stop, exclamation or question mark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one casing of the first letter under Mining and mine again. In imported pairs, correct these hypotheses or leave them out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The phrase names the class. Correct these hypotheses, or mark the pairs as bad.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read these hypotheses: where the phrase names the class, correct them or mark the pairs as bad.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn on the filter “No final punctuation” under Mining and mine again; correct or leave out imported ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the classes&apos; pairs. Where the difference is real, say so in the data card; where it comes from how neutral pairs are drawn, change their strategies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set tighter limits of words under Mining, or leave out the longest and shortest premises.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set tighter limits of words under Mining, or leave out the longest and shortest hypotheses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for pairs whose sentences repeat each other, and leave them out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw neutral pairs by the strategies that are hardest to tell, and report how a model does on each strategy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the pairs of the marked words. Correct pairs with left-over connectives or mark them as bad; for words of one topic, add more papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin with the findings above on single traits and words. What is left belongs in the data card: report a model that sees the hypothesis alone beside every score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See how premises of neutral pairs are drawn. What is left belongs in the data card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words alone go far here. Report this figure as a baseline in the data card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the hypothesis alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the premise alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both sentences and what they share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least two classes need {missing} pairs each for this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit again when there are more pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to fix; report it beside your models’ scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} to fix before release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} worth a look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} fine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} with too few pairs to say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, domain “{domain}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, no domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Words and models: {drawn:,} of them, drawn by seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} ({classes}), {source}{where}, seed {seed}.{drawn}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No hypotheses {having}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share_text} to {share_text_2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share_text} of the {label} hypotheses {having}, {spread} of the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> That is too little, or too even, to guess the class by.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> It is in {pairs} of {pairs_2:,}, in all classes alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Of equally many pairs of each class, {of_class_share} of these would be {label}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sentences of {article} pair share {more} words than those of another linked pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {noun} of {article} pair is {longer} than that of another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Means by class are {low} to {high} {unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All classes have a mean of {low} {unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In {number} of 100 comparisons {what}; 50 would be chance. {spread}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} That is within what classes differ by in themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A neutral pair shares {more} words than a linked one in {number} of 100 comparisons; 50 would be chance, and 71 is usual in mined sets of other fields.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Its {noun} is {longer} in {number} of 100.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Hardest to tell by shared words: {strategy}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs with both sentences drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs with the premise drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs with the hypothesis drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No word is in the hypotheses of one class so much more often than in others that it gives the class away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{give} a class away: {named}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, among others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {share_text} of the {label} hypotheses have one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From {seen} a linear model guesses {value} % right ({low} to {high}), macro F1 {value_2}. Chance is {chance} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; in mined sets of other fields, {pairs:,} pairs give about {reference} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Tested on {pairs} it has not seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Papers are not known here, or too few, so only pairs that share a sentence were kept together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Without {list}: too few pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {split} split has more than {max_papers_shown:,} papers, too many to filter by.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the pairs of one domain, or of fewer papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the papers of {split}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parsing sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentences could not be measured ({kind}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write domain=psychology, label=reasoning,neutral, year=2015..2020 or flagged=yes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{condition}” is not a condition.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Did you mean {near}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are {fields}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs have no “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is given twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name all values at once: {name}=A,B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No {name} is called “{part}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} must be a whole number or a range, not “{value}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example {name}=80..</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is yes or no, not “{value}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example {name}=yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels of dev and test papers must come from annotators, without a model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer these pairs yourself, or choose pairs of train papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the list “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the list “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no list called “{name}” any more: it was renamed to “{new}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write “{new}” instead, or give the list its earlier name again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project has no lists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no list called “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a list called “{new}” already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was renamed or deleted meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {max_name_length} characters, and no comma.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This cannot be the name of a list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean number of tokens, punctuation included, as the papers count them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of sentences whose main clause has a finite verb with a subject.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean share of the hypothesis&apos; tokens that are also in the premise, ignoring case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of annotated pairs whose gold label is the distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Premise tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hypothesis tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete premises</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete hypotheses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of which {split}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key statistics of the data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key statistics by domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: annotators gave another label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: annotators did not agree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As published: MSciNLI, Table 12.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold against distant labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No consensus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with enough votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the annotated pairs, those whose gold label is the distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % confidence interval of the agreement (Wilson).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs whose gold label is another class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs without a gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement as published in Table 12 of MSciNLI.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of pairs that enough annotators answered; accepted suggestions and bad pairs do not count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine similarity of the domains&apos; vocabularies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the starter model&apos;s tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token frequencies of {pairs} ({tokens}) under {tokenizer}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSciNLI, under RoBERTa&apos;s tokenizer: {low} to {high} between two domains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of the data set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of the {split} split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not measured yet: press “Measure sentences”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {overlap} of the hypothesis&apos; tokens are in the premise{error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{split} pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} as published: MSciNLI, Table 2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {mean:.2f} tokens a {side}{error}, {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (standard error {scale:.2f}: measured on a sample)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by their parse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by rules, no parser is installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {successes:,} of {trials:,} {side} are complete sentences {how}; 95 % interval for all: {low:.1f} to {high:.1f} %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: nobody has annotated any of these pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: the gold label is the distant label of {agreeing:,} of {pairs} ({share}); {no_consensus:,} without consensus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wilson interval of {successes:,} of {trials:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits: those of the project&apos;s papers, as a release would have them now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits: those of the last export in splits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits: those that the pairs were imported with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words and overlap: measured on {measured:,} of {pairs}, drawn at random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parsed by {parser}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>judged by {parser} (no parser is installed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete sentences: {how}, a random sample of at most {sizes} for each figure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision of the distant labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision of the distant labels by phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision of the distant labels by domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right labels, with the 95 % interval. “–”: fewer than {least} answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few answers: {answers} of the sample, and an estimate needs {least}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of the distant labels are right: all {pairs} are answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} of the distant labels are right (95 % interval: {interval}), by {answers} that stand for {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sample has been drawn from these domains alone: {domains}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answers} not count yet, because a pair that comes before them waits for an answer. Answer the pairs that were skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} came, or came back, after the sample was drawn, and are taken to be like the others. Answer more pairs to draw from them too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The interval covers chance in the choice of pairs. It does not cover wrong answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no suggestions of a model that has not learned these labels. With them, fewer answers do: have the starter model suggest labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The suggestions do not help here, because {model} has learned answers of the sample. Have the starter model suggest labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The suggestions of {model} have saved no answers so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the suggestions of {model} for the other pairs, these {answers} tell as much as {effective} to pairs drawn at random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair has answers of several people, so that nothing is known of wrong answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {pairs} that several people answered, {unanimous:,} ({share}) have the same answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More for ±3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More for ±5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with a distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers to the sample that count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimated share of distant labels that are right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % confidence interval of this share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many more answers to such pairs make the interval reach 3 points to each side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many more answers to such pairs make the interval reach 5 points to each side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few answers: an estimate needs {least}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All {pairs} are answered, {right:,} for the distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answers}, {right:,} for the distant label, tell as much as {effective} to pairs drawn at random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few answers: {answers:,} of {least}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSciNLI, hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSciNLI, networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSciNLI, software</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSciNLI, security</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MSciNLI, NeurIPS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer withdrawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted {new}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flag removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad pair: {reason_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad pair removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tags removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before: “{old}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} back to the mined text; {before}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{field} corrected; {before}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answers about kinds withdrawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no kind of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kinds: {parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (not finished)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the paper that was merged into it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same DOI</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nearly the same title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>many of the same sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing two papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These papers were not merged. {why_not}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose which of them stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merged two papers into “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merging two papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept two papers that are alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was changed: both papers were to be kept already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeping two papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators have judged {them} of the paper that goes. Their answers go to the same pairs of the paper that stays. If its text lacks a sentence, the pair is kept, but no longer mined and not exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The paper that stays is in {split}, the one that goes in {split_2}. The merged paper and its answers are in {split}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no paper {missing} in the project: it was removed or merged meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See: pairwright papers list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed the {changes} of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confirmed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was changed: it was all set already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changing papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confirmed {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was to be checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removed {removal_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was removed: it had been removed already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removing {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not the file that was added: its content differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the same file at its new place, or add this one as a new paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found {papers} in {parent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking up where the pair comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} is not opened: your system would start it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for it by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project knows of no file of this paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If it was moved, use Papers &gt; Locate file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it yourself, if you trust it. It is in {parent}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not opened: papers do not have this ending.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not opened: it could not be read when it was added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not a file any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look where it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give yourself permission to read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not opened: it has changed since it was added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking the GROBID server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed the {fields} of {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an earlier file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} and {other} are one paper by their DOI or title, but differ: the longer text is kept, that of {kept}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line is not a paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lines are not papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lines:,} more {one}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the file, then add it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are being read. Once they are mined, the pairs found in them come here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding papers to {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retrying failed files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are {accepted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Links that lead out of the folder were passed over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> For labelled pairs there is: pairwright import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no papers in {paths}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, {seen:,} papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds no papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of it is no paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files of it are no papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has no lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the first {lines_to_try} lines of {name} is a paper ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each line should be one paper, as JSON with its sections.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If you know it and trust it, add the file from there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is on another computer, and was not looked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembering where the PDF is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has no page {number:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page {number:,} of {name} is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing page {number:,} of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} takes longer than {seconds:.0f} s to draw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} needs more than {megabytes:,} MB of memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be shown: it ends the process that draws it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Print it to a new PDF, and show that. The other papers go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no scans: no file is without a text layer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognising text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was recognised is kept. Recognise the others next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has changed since it was added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its text was recognised, and then: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder for the recognised PDFs; on the command line: --into FOLDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} has too many PDFs named after {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder for them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for ocrmypdf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took {values} of {papers} from {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applying {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading references</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the papers first, then their references.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These papers came without a PDF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add their PDFs; then they can be parsed again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parsing papers again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parsing papers of earlier versions again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its text stays as it was. With the PDF, a GROBID server can parse it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What GROBID made of {path} is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its text stays as it was. Add the file again where it is now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{missing} is no longer there, or has changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sentences of {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it as a new paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the PDF of {quoted_title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not the PDF that was added as {quoted_title}: its content differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file that was added. Add another version as a paper of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} does not hold the two sentences.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the PDF of {quoted_title}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking into {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning sentences from {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning took too long, or needed more memory than there is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} from {old} to {new}{pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; {released:,} of them {verb} released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} with {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} would leave {its} split{of_release}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} changed {their} split. {moves_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{words} left out: not visible on the pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{were} of {fonts} {verb} repaired: the PDF&apos;s text has others than its pages show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the text: {unknown_words:,} of {words} are unknown, as in:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the {name}, read from: {source}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the {name}: none could be read from the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources: {parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading a paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And {parts:,} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The former file is kept: {previous}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{stem} is as it was on {when}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{stem} is now a copy of {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} asks for kinds of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See: pairwright kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is a pilot round, whose answers are no votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its feedback compares each annotator with the reference: pairwright round feedback.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comparing annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fleiss’ κ was 0.62 for SciNLI, 0.71 for MSciNLI and 0.72 for MisMatched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>almost perfect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>substantial</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moderate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has voted yet: answers to pilot rounds do not count as votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has answered pairs of dev or test yet. In train, answers are no votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has answered these pairs yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only one person has answered ({pairs}), so agreement cannot be measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{people} have answered, but no pair was answered by two of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All votes of {people} on {pairs} are “{only_answer}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{people} agree on {percent} of their votes on {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kappa and alpha are not defined, because everybody always gave the same answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{degree} agreement: Fleiss’ κ {coefficient_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with one vote {is_or_are} left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} missing until all pairs have {wanted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With so few pairs the confidence intervals are wide: rely on them, not on the figures alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} all votes, but no majority for a class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{of_gold} of the gold labels are the distant label; that is {of_all} of all pairs annotated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} experts or laypeople answered {has_or_have} no gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a round for two or more people: agreement is measured on pairs that at least two of them answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{waiting} Agreement is measured on pairs that two people answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {name} most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower than in published data sets. See where people differ{most}, and make the guidelines clearer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show pairs they differ on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} still missing: each pair is to have {wanted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} no majority for a class, because votes differ or are unclear. An adjudicator can decide ties.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In line with published data sets. People differ most on {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({low} to {high})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>macro F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In pilot round {name} {people} agree on {percent} of their answers to {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({two} to {two_2})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} in {place_text}, {gold:,} of {target:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Furthest from its target: {gold}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word} {file} not back yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({waiting:,} answered pairs have too few)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers not split yet, so every pair needs several votes{waiting}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no pairs to annotate yet: add papers and mine them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> You have {voters}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the people who annotate. With {word}, two can outvote one.{known}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add people…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decide the tie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decide the ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{waiting} for you to decide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{waiting} for {names} to decide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose who annotates…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{waiting} for an adjudicator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add an adjudicator…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split the papers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split the papers first: gold labels are for dev and test papers, and models learn from train papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of earlier rounds, {lack}: {advice}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lack}: {advice}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New round…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No more pairs can be drawn for the targets: {lacking}. {more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the {which} round: the targets lack {pairs}, and {can_draw:,} can be drawn. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence}Too few candidates: {lacking}. {more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the {which} round: the targets lack {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The open rounds should reach all targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All targets are reached: the benchmark can be released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on {phrases}, or add papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on phrases…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of {domains}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers{of}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kinds, pilot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pilot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>human performance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A gold label needs {votes}, and this round asks {people}: the other votes are still needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A gold label needs {votes}: {pairs} of this round will still lack some.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A gold label needs {votes}, and this round asks {people}: all answers count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A round has at most {max_round_pairs:,} pairs; this one would have {pairs:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw fewer pairs of each class, or from fewer domains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No round was drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open round {number} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close round {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is not assigned to {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assign it, or choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it again to go on with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer it on the page Kinds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is no adjudicator, so these answers would be votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the role of an adjudicator to somebody who has not voted on these pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are rounds 1 to {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None was drawn yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no round {number}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no unanswered pair among these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of them are answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is for the answers of {name} alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask who sent it for a file of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folder} cannot be made: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing files of round {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files written so far are complete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was given to: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the round to somebody first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number:,} was not given to “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number:,} was given to nobody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it to somebody first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{found} exists already, perhaps with answers in it. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{found} exist already, perhaps with answers in them. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder, send only to the others, or delete what nobody has answered in: it is not what would be sent now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undoing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redoing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are {count:,} pairs by now, not {expected:,}. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers were added, mined or removed meanwhile. Look at the pairs again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Withdraw answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unflag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bad pair: {reason_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unmark bad pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tag: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} ({count:,} pairs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for doubtful labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting doubtful labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepting suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at what would be accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of these pairs are answered already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions can only be accepted for pairs that nobody has answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept suggestions from {at_least} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The label that most annotators give is the gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The label that most annotators give is the gold label if it is also the distant label (as in SciNLI, MSciNLI).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the rules for gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deciding gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The gold labels are as they were.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer about kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is for the answers of {name} to round {round:,} alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs were drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} cannot be joined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw pairs of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join round {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} a vote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} votes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add somebody who has not answered them, and draw a round for them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs:,} of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draw a round for {names}, who {have} not answered {of}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These pairs lack votes of earlier rounds; the votes that they have count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} votes of earlier rounds; the votes that they have count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading a pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several pairs begin with “{key}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give more of the pair&apos;s id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for a pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentences of an answer file stay as they were sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark the pair as bad, or write a note; the owner of the project can correct it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correcting a sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the mined text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct both sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the {changed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct a sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no pair {key}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its paper was removed or mined again. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is an answer file itself: the answers of {name_2} to round {round:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the project that it was sent from, and merge it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merging answer files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge the answers of {whose} to round {whose_2:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge {whose:,} answer files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds the answers of {name} to round {round:,} of another project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} says that it is of another annotator or round than the one it was sent for: somebody has changed it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask {name} to send the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} asks other questions than round {number:,}: somebody has changed it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} holds {pairs} that round {number:,} does not have: somebody has changed it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} has other sentences than the project in {changed:,} of {pairs}: somebody has changed it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until the papers are split, every pair needs several votes{effect}. After that, one answer corrects a label of a train paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Three</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Five</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Six</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seven</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left:,} of {pairs} of round {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wait for your answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for your answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> about kinds of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is ready for {names}: send them their {files}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word} {file} not come back yet: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} sent a file back with {pairs} left to answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge answer files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adjudicator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layperson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answers count as votes for the gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers to pilot rounds are compared with the answers of this person, which never count as votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decides pairs whose votes have no majority. These answers do not count towards agreement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Human performance is measured on the answers of this expert of the domain, which never count as votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Human performance is measured on the answers of this person without knowledge of the domain. They never count as votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is the name of an annotator, and the key of another one, who was renamed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say {ways}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No annotator is called “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add them first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is in this project already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a name that tells the two apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody was added. {hint}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename {before} to {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give {name} the role {role_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changing a role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The role has not changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is not a pilot round.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only pilot rounds have feedback.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No reference annotator has answered round {number} yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give somebody the role of the reference, and let them answer it too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This queue is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening a queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dev:,} dev and {test:,} test gold labels of each class and domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the targets are {dev:,} and {test:,} now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release {name} was made for {made}; {now}. It stays as it is, and no gold label is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has the role {role}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add people with the role {role}, or name them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A round usually asks {usual_annotators} annotators; there {verb} {names}: {names_2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add annotators, or name those who are to answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Human performance is measured on experts and laypeople; {name} has the role {role}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name people who have not made the gold labels. To change a role: pairwright people role NAME expert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair has the domain “{domain}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The domains here: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The papers are not split yet: gold labels are of dev and test papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See how many papers these want, and split them: pairwright split suggest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no pairs to annotate yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every pair was asked about already, or has no label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers and mine them, or close rounds that nobody answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lack}, but this round asks people who have answered them or are asked about them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To get these, {advice}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All targets are reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raise the targets, or say how many pairs of each class to draw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All targets are reached, or will be when the open rounds are answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close a round that somebody does not answer, raise the targets, or say how many pairs of each class to draw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no gold pairs to annotate again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Human performance is measured on gold pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no pair left to draw; {pairs} would be needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers and mine them, or draw from more domains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no suggestions yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Have a model suggest labels first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose others, or add papers and mine them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choosing pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clipboard names no pair of this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy ids of pairs, as the column “id” of an export has them: 32 letters and digits each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers of experts and laypeople measure people, and do not count for the precision of labels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another order, or let an annotator answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The precision of labels can be estimated for all pairs, or for those of domains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose all pairs or a domain, or another order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} in {place_text} has {available:,} of {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and {have} too few</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The classes cannot be drawn in equal numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only {drawn:,} of {pairs} can be drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{total}, because there are too few candidates: {text}. {help}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not counted: {gold} of dev with a sentence of test, which releases leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No paper of {place} has a pair of this class: switch on more linking phrases, or add papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} in {split}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({share} % of the papers instead of {in_split} %)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} of {place} with the present shares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For {label} in {place_text} you need about {parts}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several taxonomies are called {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the file of the one that you mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with answers by {name} ({list} …) can be counted apart: pairwright kinds --taxonomy {word}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {path}, and no taxonomy of this name has answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a file of the TOML format, or TaxiNLI.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It must be a text file of the TOML format.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tie is decided twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one label for each pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decide {ties}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deciding ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several adjudicators are here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has the role adjudicator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name one: --as NAME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To add one: pairwright people add NAME --role adjudicator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several ties begin with “{key}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tie begins with “{key}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} Nothing was decided.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ties and their ids: pairwright ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sample papers could not be copied to {folder}: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Making the sample project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the sample papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>premise entails hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypothesis entails premise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each entails the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither entails the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unclear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{seconds:.0f} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{parts} and {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{parts} or {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under 1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over 99 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the mined text of the {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mined: {mined}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the mined text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete or correct the sentence as it is in the paper. The mined text is kept too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair was imported with a data set, so there is no paper to look at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers are kept. The model’s suggestion is removed, because it was made for the old text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence} Something went wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous page (Page up)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next page (Page down)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom out (−)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show at 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the text column to the width; press again to fit the page (W)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{page}{page_2:,} of {page_count:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is on page {page:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was not found on the pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page of the PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page {page:,} of {page_count:,}; {marked} marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a pair to see it in its paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair in its paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Correct…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complete or correct a sentence of the pair from the paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair no longer exists: its paper was removed from the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair was imported with a data set, without its paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only its two sentences are known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair’s place in its paper could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found the PDF in {parent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choose again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Locate…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking up the pair in its paper…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the PDF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program on this computer opens {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locate the PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF files (*.pdf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer mined with the present settings; its answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page is not shown before you answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The linking phrase was not found on the page, so it cannot be covered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show it anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choose its PDF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Available after you answer, because the PDF shows the linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it in your PDF viewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, no longer in the text read from the paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paragraph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The PDF is no longer at {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose where it is now; Pairwright will remember.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not the file that was added: its content has changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The marks may be in the wrong places. Locate the PDF that was added, or add this one as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This paper’s PDF is in an archive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpack it, and choose the PDF to see the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This paper came as {form}, without a PDF.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If you have the PDF, choose it to see the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This PDF changed since it was added; the marks may be in the wrong places.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {missing} could not be found on the pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and the </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Premise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>continues ›</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>continues on page {page:,} ›</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add fil&amp;ter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{remaining:,} more: type to find them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs to choose from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confidence of at least, in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most this share is wrong, in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find the confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find, by people’s answers, the confidence from which on so few are wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confidence of at &amp;least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Wrong, at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are recorded as accepted suggestions, not as your answers, and do not count towards agreement figures. One undo takes all of them back, even on another day.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept {suggestions}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The suggestions with the lowest confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{noun} with a confidence of {min_confidence} % or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No unanswered pair has such a suggestion. Choose a lower confidence, or other pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer than 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {wrong:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>According to the model’s own confidence, {number} of them {is_} wrong ({share:.1f} %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{learned:,} of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> But the model was trained on {learned}, which makes it overconfident: more may be wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It agrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{subject} with the distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{subject} from the distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{differing:,} of {count:,} {verb} from the distant label; the others are the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was accepted: all these pairs are answered already, or have no suggestion.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flag or unflag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bad pair…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tag an error…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct a sentence…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the pair in its paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Definitions and guidelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why this pair?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next pair without answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys of this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{self}, key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer {value} ({key})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>definitions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, key {shortcut}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A key pressed before this pair was shown was not counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair has no distant label to keep.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no suggestion for this pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have answered this pair already: accepting a suggestion never replaces an answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In blind mode the suggestion stays hidden until you answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was accepted, because the pair or its suggestion changed in the meantime. The pair is shown as it is now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the last unanswered pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the first pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the last pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair no longer exists: its paper was removed or mined again. Your answer was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving took a while. Keys pressed in the meantime were ignored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter saves, Shift+Enter begins a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is this a bad pair?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 Unmark bad pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{page}: a note is written but not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{page}: the guidelines are changed but not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have not seen the whole pair yet. When you have read it, press the key again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {sentence}{hint} The pair stays on the screen until an answer is saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{read_only_reason} Pairs cannot be answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model suggestion: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Here you answer pairs one at a time. There are none yet: add papers, and the pairs found in them appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another pair is on the screen now. Press Enter again to continue with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your note about the previous pair is not saved yet; go back to save it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{each:,} an hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pace}, about {value} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pair no longer exists: its paper was removed or mined again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{keys:,} pairs no longer exist: their papers were removed or mined again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flagged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> More below · {hint}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> More below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair continues below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>· model suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>· model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the previous answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad pair ({reason_text})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous: {lead}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>· distant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change ({key_hint})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cause of which, as far as we know, is not settled by the data we have </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distant label, from “{phrase}”:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported with the label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported without a label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adjacent sentences without a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drawn at random, so labelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marked as bad by another annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error: {tags}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note: {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corrected by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer mined with the present settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at these pairs again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this window, then send {name} back to the person who sent it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {bad:,} marked as bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} answered{bad}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No guidelines of your own yet. Write down what you agree on: borderline cases, examples, what is unclear.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No guidelines have been written yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the classes mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guidelines of this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guidelines of this project, written in Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save guidelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read the pair first. Enter shows its label and the answer of the system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why is it an error?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{other} Another…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your own tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in {wrong:,} of {runs:,} runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system predicted {predicted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system gave no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled {label}; {says}{runs}. {question}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same number of pairs of each class, as far as there are enough, in random order, so that the order does not reveal the distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs drawn at random: your results hold for all pairs, within the sampling error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper after paper, in reading order: fastest when you often look at the context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that match the search on the Pairs page best come first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs whose distant label the model doubts most: the fastest way to correct labels. Your results do not hold for all pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with the lowest confidence of the model: those that it cannot tell.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with a low confidence that differ from each other, as active learning chooses them to train on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A random sample, with more of the pairs whose labels are hard to predict: your answers tell how many distant labels are right, with an interval. Answer its pairs in order, and stop when you like.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These pairs were drawn for the round, the same for all its annotators.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answers to these pairs have no majority: yours decides.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A system predicted another class than the label of these pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is pair {place:,} of {total:,} in {queue}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> from {domains}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evenly by class and domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to {size:,} of each class and domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs of this {round_kind} round were drawn at random{domains}, {shares}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only pairs that match the filter come here ({filter_text}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filter’s other conditions are hidden in blind mode.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model says of this pair is hidden in blind mode until you answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model gives the distant label, {value}, {doubt}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model gives its best label, {value}, {share}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No two annotators have answered the same pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{report} and {report_2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cohen’s κ (agreement beyond chance: 1 is perfect, 0 is chance) of every two annotators. Lowest: {pair}, κ = {coefficient_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Votes agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cohen’s κ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {second} have not answered the same pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {second}: {raw_text} of {pairs} have the same answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{note} Click for the pairs with different answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair with a distant label has enough votes yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The majority of the annotators confirms the distant label in {agreed} of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {have} too few votes so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No majority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no majority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {number:,} of {pairs}, {what} ({number_2}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: the majority is the distant label in {agreeing:,} of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page shows how far annotators agree, by class, domain and round, once two people have answered the same pairs. Draw a round and give it to two people or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has measured human performance yet. People with the role expert or layperson answer pairs that have a gold label; their answers do not count as votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{annotators}, {pairs} with two votes or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least two people are needed for a comparison.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double-click a row for the pairs that this person answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain of the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotation round of the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do annotators confirm the distant labels?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which annotators agree with each other?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much has each annotator answered?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How well do people find the gold label?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy all numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied all numbers of the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied {lines} of numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By annotation round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By neutral strategy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pilot rounds (not counted as votes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with two votes or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw agreement: of every two votes on a pair, the share that are the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % confidence interval of this share (bootstrap).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fleiss’ kappa: agreement beyond chance; 1 is perfect, 0 is chance. For a class: it against all others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Krippendorff’s alpha: like kappa, corrected for few pairs and missing votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gwet’s AC1: agreement beyond chance that stays meaningful where nearly all votes are for one class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label confirmed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the pairs with a distant label and enough votes, the share whose majority is that label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of these pairs, the share without a majority for any class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The median time of a vote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Votes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unclear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Votes that the two sentences alone do not show how they are related.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Person</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered pairs that have a gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Macro F1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of the classes’ F1 scores against the gold labels, in percent; “unclear” counts as wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the answers that are the gold label, in percent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The median time of an answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{group_name}: no pair was answered by two people.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{raw_text} of the votes on {pairs} agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AC1 {coefficient_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the distant label is confirmed for {agreeing:,} of {annotated:,}: {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no κ, because all pairs have one label, so that agreement by chance is high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {votes}, {unclear:,} of them “unclear”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} gave the gold label to {accuracy} % of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} low</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fleiss’ κ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement beyond chance: 1 is perfect, 0 is what chance would give.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement beyond chance, like κ, but corrected for few pairs and missing votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement beyond chance that stays meaningful where one class has nearly all votes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far do people agree?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not defined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{low} to {high} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{low:.2f} to {high:.2f}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where do annotators agree less?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double-click a row for the pairs with different answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} {label} in {domain}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: show these pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every majority label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only majority labels that confirm the distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change a role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add people</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ada, Ben, Cy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Targets and gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold pairs of each class and domain for the dev split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold pairs of each class and domain for the test split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which labels become gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Votes of each pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold pairs of each class for &amp;dev</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold pairs of each class for &amp;test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold &amp;labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Votes of each pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One vote decides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than half of {votes:,} votes must agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is discarded, and kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are discarded, and kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{differing} another gold than distant label{fate}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} The gold labels of all answered pairs will be determined again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select at least one domain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feedback on round {round}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreement with {reference}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with another answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answers yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agreement}, {agreed:,} of {answers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merged answer files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conflicts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that an annotator has answered differently in two places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merged answer files: {conflicts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The later of two answers counts; both are kept. Review a pair to answer it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review {relations}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review {pairs} about kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with an answer in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no longer in the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer in this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gold:,} of {of:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with this gold label, {pairs_2} in open rounds, {missing:,} still to draw. {kept:,} of {finished:,} annotated pairs have a gold label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the label of one vote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the majority of {votes} votes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, if it is the distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dev:,} for dev and {test:,} for test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Targets: {each}, of each class in {domains}. The gold label is {votes}{only}. {targets_note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each of these domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number}: {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New in this project: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} changed the split. {gold_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The targets are saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; {are} discarded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} a gold label{discarded}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs for which annotators agree on another label than the distant label: they have no gold label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split of the papers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Targets and gold labels…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold labels of each class and domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody has been added yet. Add the people who will annotate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change what a person’s answers count for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All answers of this person are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The new name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name is {name} from now on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {were} decided again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pilot, to train annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Human performance on gold pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pilot for kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw the round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As many as the targets still need</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For each class and domain:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of each class and domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs for each annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that are the same for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw only from the pairs that the Pairs page shows now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for each annotator, of which</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are the same for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that would be drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{drawn:,} of {wanted:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The targets are reached: raise them, or choose how many pairs to draw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left to draw for these people: name somebody who has not answered the pairs that lack votes, or choose how many pairs to draw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} needed, {available:,} available to draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{drawn}, {gold:,} with a gold label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{noun}, which {names} {answers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{noun}: up to {pairs:,} for each of {names}, {overlap:,} of them the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have named {names} so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With {usual_annotators} people, two can outvote one. {named}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the people who will answer the pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No round has been drawn yet. A round gives the same pairs to several people.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer your part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a file for each annotator, to be answered on another computer: in Pairwright, a spreadsheet or another tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare a pilot round with the reference&apos;s answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feedback…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close a round when no more answers are expected; you can open it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is closed. Its unanswered pairs can be drawn for other rounds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number} is open again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer file for Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A small project to open and answer in Pairwright. Answers come back with their times, flags and notes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table for a spreadsheet (CSV)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs with an empty column for the label, and a text with instructions, definitions and guidelines. Labels can be written as word, letter or number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One JSON object per line with an empty label, and a text with instructions, definitions and guidelines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks for Label Studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks (.json), the labelling interface (.xml) and instructions (.html). Exports as JSON, JSON-MIN and CSV can be merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks for Prodigy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tasks of the interface choice (.jsonl), and instructions (.html). What `prodigy db-out` writes can be merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send round {round:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{annotators}. None of these files shows linking phrases, distant labels or suggestions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are divided at random. People annotate pairs of dev and test papers; models learn from train papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One line for each domain; a line without a name is for all other domains. For example: {years_example}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers get the split given in the imported files; if there are several, test comes before dev.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers without a year are train &amp;papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All other papers are train &amp;papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the papers are split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The papers of a &amp;journal stay together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole journals are divided, so that the journals of test papers are new to the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;uggest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Targets…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed of the split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Move these papers anyway; no answer is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Se&amp;ed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;How</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for {dev:,} dev, {test:,} test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Targets: {dev:,} gold labels of each class for dev and {test:,} for test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {papers} with gold labels by several people are divided {shares} into dev and test. All others are train papers. Released papers stay in their split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{no_domain}, and others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers of domains that are added later are split by these shares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{split} share of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shares of each domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dev</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All papers that are neither dev nor test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dev and test of {name} add up to {dev:g} %, more than all papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Years of each split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To reach the targets, add papers or linking phrases, give dev and test a larger share, or lower the targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect of the split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold labels to expect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold labels to expect in dev and test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train: {train} to learn from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marked cells have too few pairs for the targets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {undated:,} of them without a year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} {verb} in no split{undated}, and so in no data set and no round.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would change their split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {gold:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} can be annotated; about {gold:,} of them will get this gold label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{about} of {target:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs for which all questions about kinds of reasoning are answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (file sent)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (file merged)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for {waiting}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the answers of all annotators that are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}{state}: {answered:,} of {size:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawn {created_at:%Y-%m-%d}, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {pairs} with kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels to audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain to audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop; the previous audit is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer words shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more words shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often does a neutral pair differ from a linked pair?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the hypotheses with a word, how many have the class?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many words do linked sentences share, by class?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long are the sentences, by class?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many labels are guessed correctly?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many {traits_plural}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypotheses begin with a capital</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypotheses begin with a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypotheses have a linking phrase near their start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypotheses lack a full stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypotheses have a citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypotheses have a digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}: {trait}, {hits:,} of {pairs}, {interval}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With the property</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shares of the hypotheses of each class, with 95 % intervals. Click for the pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label}: {name}, mean {mean:.1f} {unit}; {more} in {number} of 100 comparisons with another class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{more} in {number} of 100</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of each class, and how often a pair has more (or less) than a pair of another class: 50 of 100 is chance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All neutral</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, {pairs}: {more} than linked pairs in {number} of 100 comparisons; mean {mean:.1f} {unit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} of 100</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In how many of 100 comparisons a neutral pair differs this way from a linked pair: 50 is chance, 71 is usual for shared words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neutral pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {pairs:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · gives the class away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that are most typical of a class come first (by pointwise mutual information, PMI). “Numbers” lists ten of each class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hypotheses with the word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{word}” is in {hypotheses}; {hits:,} of them are {label} ({share_text}). PMI {pmi:.2f} bits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} % of {pairs} guessed correctly, {interval}; macro F1 </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In mined data sets of other fields with {pairs} it is about {reference} %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other fields, same size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share that blind guessing gets right if all classes have the same size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {hits:,} of {pairs} guessed correctly, {interval}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed correctly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {counted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the {label} pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings, most serious first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An audit finds clues that give the label of a pair away. It needs labelled pairs: add papers, or import a data set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An audit finds clues that give the label away without reading both sentences, such as a capital letter, a word or the length. It says what to fix before a release, and takes about a minute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs or labels have changed since this audit. Audit again to include the changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit: {summary_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Audit the pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy the numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the figure on the screen as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {papers} and {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} in {fields}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{year}: {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The year of {papers} is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The year of every paper is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs are counted by domain, not by year.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In {domain}. {summary}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it was mined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} of {given} could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, {label}: {pairs} ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{summary} {hidden} more among the numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pull into a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A &amp;random sample of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose where to save the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pull</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} exists. It gets up to {papers} with {pairs}, about {size}: those of them that it does not have yet. It is opened when it is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project will have {papers} with {pairs}, and take about {size}. It is opened when it is ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pull {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new project is not made. One that was there keeps the papers pulled so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the whole corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From {which}: {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs}, drawn at random from {read:,} of {shards}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no such pairs. Choose another domain or other years.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} — Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the corpus…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pull into a project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Years</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which domains are the papers from?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When were they published?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which classes do the pairs have?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which languages are the papers in?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which files are no papers?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers}, {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files could be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading a sample…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settled on {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mined by {program}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {run}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The corpus cannot be read: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; {same:,} of {labelled:,} confirm the distant label ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {same} of them confirm the distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answers} on {days}{agreement}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same as the distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many candidates became pairs?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where do the pairs come from?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long are the sentences?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many words do the two sentences share?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What have you answered?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{are} not mined yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs were imported, so there are no mining candidates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples of dropped candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for examples in the papers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Premise: {premise}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Premise: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hypothesis: {hypothesis}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} of {papers_2:,} looked through</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No example: {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The papers could not be looked through.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {kept_count:,} of {candidates} became pairs ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {dropped_count:,} of {candidates} were dropped, for the reasons below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kept_count:,} kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dropped_count:,} dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why linked candidates were dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why neutral candidates were dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept, or reason for dropping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{candidates} = {total_kept:,} kept + {total:,} dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{candidates} dropped: {lower_first}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rare_count:,} dropped for {reasons}: see the numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other reasons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the way they were mined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of {domains}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {number:,} of {pairs} {is_or_are} {label_phrase} </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not annotated yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>discarded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are not annotated yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have a label from annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have an accepted suggestion of a model, and no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are discarded, because annotators agree on another label than the distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>have answers without a majority, or “unclear”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are marked as bad pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {pairs} {outcome_phrase} ({share}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distant label and the annotators’ label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{by_gold} of {number:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators’ label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reviewed:,} of {pairs} annotated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotators agree on another label, so the pair is discarded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotators say {label_phrase}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotators have no majority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the distant label is {distant}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {pairs} where {start}: {answer} ({number_2}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>premise {premise:.1f}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hypothesis {hypothesis:.1f}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words on average: {means}. The classes should look alike; otherwise a model can guess the class from the length.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On average, {mean:.0f} % of the words of the hypothesis are also in the premise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{label} pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs without a label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{has} a {title} of {name} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shares} {name} % of the hypothesis&apos; words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {total:,} {subject} {predicate} ({number_2}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;omain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page shows the pairs in figures: classes, lengths, annotation. There are no pairs yet: add papers first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show plots as &amp;numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every plot as a table, and back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} mined with “{phrase}”. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of them has a label from annotators yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators confirm {agreed:,} of {answered:,} whose votes have a majority ({agreed_2}); 95 % interval for all its pairs: {range_phrase}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{low:.0f} to {high:.0f} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The relation that the phrase stands for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs mined with the phrase.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of all pairs mined with a linking phrase.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that have a label from annotators, so without ties and “unclear”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the answered pairs, the share for which annotators confirm the relation of the phrase.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % confidence interval of this share (Wilson).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowest likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Highest likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which phrases can be trusted?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs were mined with a linking phrase.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{phrases}. None of their pairs has a label from annotators yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {pairs} mined with a linking phrase whose votes have a majority, annotators confirm the label of {agreed:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page says how many of the distant labels are right, of all pairs and by class, domain and phrase, once you have answered a sample of pairs. 100 answers take an hour or less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page says how many of the distant labels are right. There are no pairs yet: add papers first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a queue with the next {size} pairs of the sample?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It replaces your queue, which has {pairs} left. Your answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer more pairs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a queue in Review with the next {size} pairs of the sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many distant labels are right?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many are right in each domain?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many are right after each phrase?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Answer pairs of the sample…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {domains} among the numbers only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} and {other}: the cosine of their token frequencies is {cosine:.3f}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page shows the tables of the SciNLI papers for your own pairs. There are no pairs yet: add papers first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair matches this filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press “Measure sentences” to compare the domains’ vocabularies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is only one domain. Give papers different domains to compare them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure sentences again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Measure sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring sentences…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs have changed since the sentences were measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parse a sample for complete sentences, and compare the domains&apos; vocabularies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How does the data set compare? (SciNLI, Table 3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How do the domains differ? (MSciNLI, Table 2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do annotators confirm the distant labels? (MSciNLI, Table 12)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How alike are the domains’ vocabularies? (MSciNLI, Table 13)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Doubt {doubt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the distant label: it is right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept the suggestion; it is recorded as accepted, not as your answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{partition}, key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from “{phrase}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adjacent, no linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drawn at random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {unclear:,} unclear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no suggestion yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model}: {likely}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page lists the labels that a model doubts, those that are probably wrong first. No model has made suggestions yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page lists the labels that a model doubts. There are no pairs yet: add papers first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The suggestions of another model are shown now. The next pairs are those that this model doubts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Doubted labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept all…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept the suggestions for all pairs that nobody has answered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show labels with less doubt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept the suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip: ask again at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a filter…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept all suggestions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the list of doubted labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No doubted label is left with this filter: {filter_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No label that {model} calls more likely wrong than right is left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have answered every pair that {model} doubts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review other pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs that nobody has answered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs listed here: {filter_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted as {predicted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted correctly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {predictions} for pairs of {label}, {pairs:,} are {predicate}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {runs} runs together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>label ↓ predicted →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}{runs}. Rows: the label; columns: what is predicted. Click a cell for the pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: among the pairs with the highest scores, {precision:.0f} % are positive when </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{recall:.0f} % of all positive pairs are found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{system} on {set}, trained there, precision by recall. Dashed line: chance, {share:.0f} %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen on a data map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep as list…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On parts of the map…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without the selected pairs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the selected pairs into a list and show it on the page Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark the selected pairs as bad, so that trainings and exports leave them out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make an experiment that trains again on some of these pairs; it does not start yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} will be marked as bad and left out of trainings and exports. You can undo it in one step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep as list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} of the map. A list with the same name is replaced, which you can undo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept {pairs} as “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The experiment trains with and without the {pairs}, which become a new list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train without the selected pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map of experiment {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>easy to learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hard to learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs after which the label was predicted: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an experiment that has been run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Easy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ambiguous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All but the hard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lasso</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rectangle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs}. Draw around some, or choose a share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{int:,} of {pairs} selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair is not in the project: it cannot be opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mapped set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share to select</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Easy: the highest confidence. Hard: the lowest. Ambiguous: the highest variability.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the training pairs, in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No error has a tag yet. Right-click a number and choose “Read some of these errors…”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong predictions by the length of both sentences, in words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {predictions} for pairs of {name} words, {number:,} are wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags of the errors read so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {errors} that somebody has read, {number:,} have the tag {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{read:,} of {pairs} read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {wrong:,} of {predictions} wrong. {read}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: {share}, 95&#xa0;% interval {low} to {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {total:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The errors replace your current queue in Review. Press a digit to say why a pair is an error, Enter to continue. Tags are not answers and change no label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At random: the shares of tags hold for all errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Balanced: the same number for each label and predicted class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide label and answer until I press Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A round of {pairs} of {misread:,} wrong predictions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments (*.toml);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved {saved}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The form cannot show this file until its problem is corrected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop; results computed so far are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;un</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate as a new experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the file instead of the form; both have the same content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the file instead of the form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File of the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line:,}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to line {line:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>systems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strategies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linking phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AUC, normalized (two classes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AUC above one half (two classes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paired t-test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bootstrap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>against the first row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>against the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>against the own domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>against each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other sets together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the list of experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that it is to answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Systems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One run of each system for each seed (start of the random numbers); two or more give a standard deviation and a t-test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute a cell even if pairs of its test part are also in its train part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>table {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Score of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: tested against</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the experiment to fill the cells: a row for each system, a column for each test set and seed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{test}
seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tested on {test}, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}{trained}, tested on {test}, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: macro F1 {self}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: not computed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cells of the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count:,} of {cells} done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And {reasons:,} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a pair to read it; a click opens it in Review.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{classe} · confidence {confidence:.2f} · variability {variability:.2f} · predicted after {right} of {epochs} epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair is not in the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong predictions: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} outside the project with a wrong prediction, the most confident errors first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The first {rows:,} are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Past experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{experiments} run on this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export in splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {finished:,} of {cells} computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget {name} and its {cells}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This can be undone; its results are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgot {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments: {edited} not saved or run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another experiment is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause or resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results computed so far are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who predicted, on which device, for how long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {predictors:,} others, which the report names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{finished:,} of {cells} computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> by {runs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in {seconds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{cells}{by}{took}{value}, with {program}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> on {devices}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the pairs of the current number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the table: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the pairs of the current number: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> in any of {runs} runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Wrongly predicted pairs{runs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Correctly predicted pairs{runs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All tested pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs without a &amp;prediction{runs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs wr&amp;ongly predicted as {group}{runs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read &amp;some of these errors…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confusion matri&amp;x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrong predictions outside the pro&amp;ject…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {runs} on {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {difference:+.2f} points compared with the reference row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, significantly better than {others}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, the best of its column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, the second of its column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, trained and tested on the same set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the experiment to see its tables.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an experiment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied {tables}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the report: choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is saved: {files} in {folder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied {rows}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a number for its wrongly predicted pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confusion matrix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which errors are there?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the previous job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the data…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ended:,} of {runs}: {title}{what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused · {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gold; distant only where there is none at all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gold or distant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the easiest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the hardest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the most ambiguous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all but the hardest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DirTrue against DirFalse: direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paraphrases against Unrelated: likeness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paraphrases against DirTrue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paraphrases against DirFalse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DirTrue against Unrelated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DirFalse against Unrelated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All four groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statements in papers against narrower statements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicates of two things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uses of a predicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Negatives for a positive predicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs of the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made of all pairs of the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made of all papers of the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data set {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the data set {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the data set {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probe of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of triples of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: of the project’s pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of LevyHolt or SherLIiC, instead of a probe built from the pairs of this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Triples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the filter of Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the pairs that the Pairs page shows now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the filter of Pairs for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {everything} for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This set is replaced by one set for each domain of its pairs, with the name of the domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A set for each domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filter in the file cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made of: {chosen}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part_name} file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part_name} file of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by training dynamics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part_name} part of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of the {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same number of pairs of each class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: balanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels of the {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lexicalized</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Naive Bayes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fine-tuned encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model without training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions of others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine of an encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entailment graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency of predicates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sentences exchanged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both orders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each piece of evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by likelihood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random; a GloVe file; or spacy:en_core_web_md</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System {number}: {kind_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of system {number} in tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove system {number}: {kind_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What system {number} reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patience</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learns {first} of {first_2} first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a folder, a GGUF file, or the server&apos;s name of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: it runs here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentences leave this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>may be another computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples of each class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drawn from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set of the examples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading of answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How answers are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File of predictions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the imported pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicate, predicate, score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edges of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is read-only, so no experiment can be run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiments need a split into train, dev and test. Export the project in splits first, or import a data set that has them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} · edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best {measure} {score:.1f} · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{best}{finished:,} of {cells}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted: its program ended while it ran. What was computed is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{state}: {finished:,} of {cells}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{runs} to compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {known:,} of them known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {refused:,} refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {lacking:,} {lacks} something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lacks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it is now, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{times:,} systems: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {more:,} more {is_} missing, as said below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, without {list}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · about {value} on this computer{more}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;un the rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;un again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer in the project: {parts}. Their papers were removed or mined anew, so the Pairs page does not show them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not in the project: {parts}. They come from files, so their numbers open a list of wrong predictions instead of the Pairs page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value}{pairs:,} test pairs of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{outside:,} of </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;Mining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would keep {balance_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder to export to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder has an export of {rows}: exporting replaces it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SNLI and MultiNLI</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels as numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TaxiNLI: kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parquet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The premise is in the paragraph before the linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So the premise refers to a sentence that is not in the pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Thus the …”: rarer, and less certain to link the two sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} and {columns}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names}; only pairs with answers about kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least one split some of the papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Pairs page shows all pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that the Pairs page &amp;shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An apostrophe is put before cells that a spreadsheet would take for formulas; imports take it away again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Protect against spreadsheet for&amp;mulas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>README.md for the Hugging Face hub: contents, sources, figures and licences. With Croissant metadata, checksums, and a manifest to reproduce the same files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Data card and manifest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One fi&amp;le</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the project&apos;s s&amp;plit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split &amp;by paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split by &amp;year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split of impor&amp;ted files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train, dev and test papers as they are split in this project; no sentence of dev or test is in train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each split gets the papers of some years. Papers without a year are left out and named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splits given in the imported files. Pairs without one are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs of a paper are in one split, every domain has the same shares, and no sentence is in two splits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One line for each domain, a line without a name for the others; dev and test may share years</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As many of each class and domain as the targets say; if switched off, pairs without a gold label have their distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dev and test: only &amp;gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only papers that are in no release yet are assigned to a split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released papers &amp;keep their split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same number of pairs in each &amp;class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In each split and domain; from larger classes, pairs are drawn at random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs w&amp;ithout a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These pairs have no label unless annotators gave one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out pairs that have only a distant label, from their linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that are &amp;not annotated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers with a licence that is unknown or does not allow sharing: see the papers&apos; details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Papers that may not be shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with a sentence that is nearly the same as one in another split, up to a few letters. This can take a minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near-d&amp;uplicates in other splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers and pairs are drawn at random: the same number always gives the same split and the same pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a release {name} already, and releases never change. Type another name, or write it again from the list of releases.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases ({number:,})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write {name} again to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of pairs changes while papers are mined. You can export when that is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking into the folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are being mined…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting pairs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs to export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expo&amp;rt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With a name, the exported data set is kept in the project, and can be written again byte for byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the releases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the receipt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that will be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} to be mined: pairs may be missing or out of date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} Mine again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair is in this file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} begins with {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these {lines} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First rows of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected row as it will be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy this receipt as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Back to the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;load_dataset line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The line of Python that loads these files with the library datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a &amp;notebook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{notebook}, beside the files: it loads them, trains an encoder and measures it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> as {release}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} {released}{kept} to {folder}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}	{rows}	SHA-256 {sha256}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File and SHA-256</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SHA-256 of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied the line that loads these files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{notebook} could not be written: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A release never changes, and its papers stay in their split in later exports.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no release yet. Enter a name for it below, then press Release.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write {name} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new since {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{changed} was changed after it was exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is in {folder}. Exporting replaces it, and the changes are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} were changed after they were exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{changed}, in {folder}. Exporting replaces them, and the changes are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw a round that asks for kinds of reasoning and give it to two people or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This figure compares the direction that annotators give with the direction that the linking phrase announces. It needs pairs for which most annotators give the same direction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average κ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of Fleiss’ κ over the categories: agreement beyond chance, 1 is perfect, 0 is chance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intersection over union: of the categories that at least one of two annotators ticks, the share that both tick; 1 if neither ticks any.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IoU of ticked pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intersection over union, only over pairs for which at least one annotator ticks a category.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the answers about the relation that confirm the pair’s gold label, or else its distant label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far do annotators agree on kinds of reasoning?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{people}, {pairs} that two or more of them answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The lowest agreement is on {weakest}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the pairs with different answers, and agree on what the questions mean.{least}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show pairs with different answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page shows how far annotators agree on each category, once two people have answered the same pairs. Draw a round that asks for kinds of reasoning, and give it to both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far do annotators agree on each category?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do annotators confirm the direction of the linking phrase?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No category was ticked for the pairs that two people answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help on this question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>?, Shift+G, G</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw pairs to answer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For {name}: each answer is saved in this file at once. When all are given, send it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pairs selected on another page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round {round:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have answered all of these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {round:,} is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{option} is none of the answers here. Shift+{option}: {does}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Direction of the phrase: {direction}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coloured: the direction that the phrase announces. Click a bar for its pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Direction of the phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators’ direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agreeing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {text}, according to the annotators, for {pairs}, {number} of {total:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {pairs}, {low} to {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers have changed since the embedding was computed: compute again to include them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute embedding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs}: about {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model of the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More pairs take longer: ten times as many take about ten times as long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {amount:,} pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators&apos; label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is computed yet. Choose a model, then press “Compute embedding”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a pair to read it; a click opens it in Pairs. Draw around pairs, or choose a row, to select some.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purity: of the {neighbours} nearest neighbours of a pair, the share in the same group. Chance: the purity of a random layout. Silhouette: from −1 to 1, above 0 where pairs are closer to their own group than to others. Best: the layer with the highest purity.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purity and silhouette are computed on the hidden states of the model, which the picture shows only approximately.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At which layer does a model tell the kinds of reasoning apart?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer {layer}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} of {layer_count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Silhouette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the row to highlight its pairs in the plot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs:,} of {pairs_2}, drawn at random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left_out:,} with more than {max_categories} kinds left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is read-only, so no list of pairs can be saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How well each group is separated at this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs at a layer of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fleiss’ κ with its 95 % interval. Click a bar for the pairs on which annotators disagree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Never ticked: {unused}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disagreeing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ticked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs:,} pairs, ticked in {prevalence:.1f} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> ({coefficient} to {coefficient_2})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: κ {kappa}{interval} over {pairs}; annotators disagree on {differing:,} of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {value:.1f} % of the votes agree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs}: {pairs_2}. A pair may have several categories.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> No pair has {listed}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {counted}, {share} of those.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>φ, the correlation of every two categories: above 0 they occur together more often than by chance, below 0 less often. Strongest: {one} and {other}, {coefficient}. Click a cell for the pairs with both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs with both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {second}: φ {coefficient}, {have} both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} or {name_2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose models above to see the accuracy of each by category.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose models above to see what makes their predictions correct or wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What makes predictions correct or wrong?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log odds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discriminant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is shown of a factor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page shows which kinds of reasoning pairs need, and at which of them models fail. Answer pairs on the tab Answer first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which kinds of reasoning do pairs need?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which categories occur together?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How accurate are models on each category?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For this figure, at least two categories must be ticked for some pairs and not for others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for predictions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicting {done:,} of {total:,} pairs with {note}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left} more models are not drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figure could not be computed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no predictions to show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pilot round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking at {position:,} of {total:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done:,} of {total:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gone:,} no longer in the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accuracy of each model, with 95 % intervals. Click a bar for the pairs that it gets wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} is correct for {percent} of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model}, {name}: correct for {percent} ({percent_2} to {percent_3}) of </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Significance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logistic regression, in log odds: above 0, the factor makes a correct prediction more likely; below 0, less likely. {stars}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Average change of the probability of a correct prediction, from the regression. {stars}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linear discriminant analysis: above 0, the factor makes a correct prediction more likely; below 0, less likely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model}, {name}: log odds {three}{stars}, error {error:.3f}, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p {p:.3f}; effect {three}; discriminant {three_2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose models to see with which kinds of reasoning they are wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models of the figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, key {key}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: {example}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{same:,} of {answers} as {reference} answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Letters tick answers, Enter continues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press one key to answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enough?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The questions about this pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not answered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take care: {confusion}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figure of kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answers could not be read. Open another page and come back to try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another round…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answered} A pair may need several kinds of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A key pressed before this question was shown was ignored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The relation is answered already. Go back to its question to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick at least one answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press the key of an answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the first question about the first pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be answered here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which kinds of reasoning do the pairs need, and which sentence entails the other?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You answer one pair at a time by keys: first its relation, then short questions. The pairs are drawn in equal numbers from each class and domain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join round {joinable:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer the same pairs as others, so that agreement can be measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw {pairs} and start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Releasing the model&apos;s memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {sample} papers mined…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {papers} failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, before and after with the rules of this version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sample} of {papers}, {sentences}{failed}{rules}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their answer is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their answers are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People have answered {answered:,} of the lost pairs; {answers} kept, but not exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Effect on a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Another sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the settings on other papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates of the sample, kept or dropped, with the reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentence pairs that mining considered, before the filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of the data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates that a filter left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shortest sentence cannot have more words than the longest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest words of a sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most words of a sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lower-case first letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Capital first letter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same for the hypotheses of all classes, so that it does not reveal the class. Names, acronyms and formulas are not changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linked pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link across &amp;paragraphs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If a linking phrase opens a paragraph, the premise is the last sentence of the previous paragraph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also pairs &amp;without a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adjacent sentences without a linking phrase become pairs without a label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of neutral pairs, as a multiple of an average linked class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>times the size of an average linked class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many neutral pairs a paper gets, compared with the mean of its linked classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest distance of the two sentences, in sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sentences apart in the paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow both sentences in &amp;one paragraph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two sentences of one paragraph are more likely to be related.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow shared rare wor&amp;ds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentences that share rare words, or a topic of the paper, are often related.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neutral pairs are drawn at random: another number draws other pairs, the same number the same pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out sentences with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the selected phrases on or off (Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dele&amp;te</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the selected phrases (Delete)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New phrase, as it begins a sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs are mined with the phrases that are ticked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The relation that the phrase stands for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs of the project that were mined with this phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the pairs that people answered, without ties and “unclear” (which the page Precision counts as wrong), the share with the relation of the phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many pairs of this phrase are right, of those that were read by hand from papers of ten domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Origin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the phrase comes from: SciNLI&apos;s lexicon, the extended lexicon, or your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{right} of {read}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People agree with {agreed:,} of {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agreement}; the 95 % interval for all its pairs is {low:.0f} to {high:.0f} %.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is switched off. In the sample it would add {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opener</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that begin sentences of the papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The relation that its pairs seem to have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The expected share of its pairs with this relation, with its 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many pairs it would add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From how many papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some sentences begin with words that announce a relation but are not in the lexicon, such as “Surprisingly,”. Pairwright counts such openers in the papers, and the starter model scores pairs of the frequent ones. That takes some minutes. Nothing is changed until you add one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples of the opener</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for phrases…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Look for new phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Add to the lexicon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs are mined by it when you press “Mine again”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Openers that may announce a relation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correct the settings to see their effect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no papers yet to try the settings on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mining a sample…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sample could not be mined; the page Problems says why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mined {papers}: {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;ine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;ine again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lexicon ({on} of {phrases} on)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is read-only, so its mining settings cannot be changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining finds sentence pairs in papers, but there are no papers yet. Add some on the Papers page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining is running; you can keep working.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lexicon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Defa&amp;ults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back to the default settings and lexicon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard the changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on the reliable phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for new phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw another sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;witch on the reliable ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Switch on {phrases}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{spare}. The papers are not mined again until you press “Mine again”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A phrase is reliable if pairs read by hand show, with 95 % confidence, that at least {share:.0f} % of its pairs have its relation. The papers are not mined again until you press “Mine again”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two random sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Premise and hypothesis are drawn at random from one paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random premise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The hypothesis of a linked pair, with a premise drawn at random from the same paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The premise of a linked pair, with a hypothesis drawn at random from the same paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neutral: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A phrase must start with a letter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This phrase is already in the lexicon, as “{text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A linking phrase cannot stand for “neutral”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It begins with “{text}”, a phrase for {label}. Of the two, the longer phrase counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share:.0f} % of all sentences begin with this phrase: too many to link sentences each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sentence of the sample begins with this phrase.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs of the sample stay the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} gained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{lost:,} lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{changed:,} with changed text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neutral pairs: {stay:,} kept, {come:,} added, {go:,} removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} Of {annotated:,} that people answered or marked, {go:,} will be removed. {listed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} The one that people answered or marked is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text} All {annotated:,} that people answered or marked are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{all_papers} mined with these settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{all_papers} mined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} with the rules of an earlier version. Mining again uses the new rules; answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine again to apply the changes to {papers}. All answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining with these settings is not finished: {done:,} of {papers} mined, the pairs of the others are as before. Mine again to go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs are of these settings. Mining with other settings was stopped before the first paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs of {pending:,} of {papers} are of these settings. Mining with other settings is not finished; mine again to undo it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The paper is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All {number:,} papers are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Withdraw your answers to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer “{value}” for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pairs shown on this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select at most {max_listed_pairs:,} pairs, or all shown pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept the suggestions for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark as bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong with the pair?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unmark as bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select at most {max_reviewed_pairs:,} pairs to answer questions about their kinds of reasoning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {max_copied_pairs:,} pairs can be copied. The Export page writes any number to a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair is still loading. Press the key again when it is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One undo takes all of it back, even on another day.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: nothing to change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was copied: these pairs no longer exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied {pairs} as {value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Withdraw my answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept suggestions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Flag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bad: other reason…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bad: {reason_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review these pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Review</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer questions about kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tab-separated text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Doubt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gold label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Premise words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hypothesis words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair in full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More about where the pair comes from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a pair to see both sentences in full, its paper and its answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mined by run {run}, {program}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported as {source_id}: {source_label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page {page}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distant label {distant}, from “{phrase}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotated as {gold}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>discarded, because the annotators agree on another label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>direction from the {phrase}: {direction}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>direction from annotators: {direction}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kinds of reasoning ({who}): {kinds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotators disagree on {differing_kinds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>corrected by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{premise_words:,} and {words}, word overlap {overlap} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model suggestion: {likely}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>doubt {doubt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (mean of {runs} runs)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {systems}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predictions in experiments
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search premises and hypotheses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds pairs that have all the words; &quot;quotation marks&quot; find words that stand together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add filter…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll the pair in full down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll the pair in full up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page lists all sentence pairs of the project. There are none yet: add papers to mine them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows:,} or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only this paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the phrase “{phrase}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the class “{label}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the list “{name}” of {pairs}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This can be undone. Its pairs stay in the project. Filters that ask for the list will find no pairs, filters that leave it out will leave out nothing, and experiments that use it cannot be run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted the list “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved filters and lists of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save this filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A filter called “{name}” exists already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No saved filters yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many pairs are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import data set…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add another project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take metadata from references…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show it in its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark as checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge duplicates…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry failed files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognise text…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parse again with GROBID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parse again with the built-in parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parse papers of earlier versions again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locate file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers at a glance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show files that need attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No failed file is selected. Select failed files, or clear the selection to retry all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no scans here. Only files without a text layer can be recognised.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program on this computer can open {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program on this computer can show {parent}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no papers that look the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers cannot be merged: {read_only_reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where is {name} now?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name};;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {judged:,} of them answered or marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} will be removed too{judged}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files on disk are kept. Undo (Ctrl+Z) brings everything back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {removal_text} from this project?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data sets (*.csv *.tsv *.jsonl *.ndjson *.csv.gz *.tsv.gz *.jsonl.gz *.txt *.parquet)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>References (*.bib *.bibtex *.ris *.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers and data sets ({name_patterns} *.csv *.tsv *.csv.gz *.tsv.gz *.txt *.parquet)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers cannot be added to an answer file, only to the project that it was sent from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers cannot be added: {read_only_reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take metadata from references</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import data sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{data_set_filter};;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder of papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright projects (*{project_suffix})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add another project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a paper to see its details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This paper is no longer in the project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {language_name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No year, no domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DOI {doi}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence {licence}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {files}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognise text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs yet: this paper is not mined yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining found no pairs in this paper.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs}, {linked:,} linked by a phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answered:,} answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{parts} selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ no longer at {breakable}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Are these the same paper?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make one paper of the two, with the values chosen here; Ctrl+Z undoes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are two papers; you will not be asked again about them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decide later (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {all_of_them:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They have {reasons}. {shared} of the shorter text is in both. Choose which text stays, and one value of each field that differs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Finish</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several values; type to set them all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Separate several authors by semicolons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only English papers are mined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Authors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your changes are kept, even if the paper is parsed again. Ctrl+Z undoes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving marks the paper as checked. {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save and &amp;next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers read so far are kept. Add the same files again to continue with the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers read so far are kept. Retry the others next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers parsed so far are kept. Select the others again to continue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text recognised so far is kept. Recognise the others next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SNLI, MNLI</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through the files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>such as coastal engineering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers that have a domain keep it, unless you type or choose one here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built in, no server needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GROBID at {grobid_url}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as given in each paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The labels of this data set are numbers, whose meaning differs between data sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose what the numbers 0, 1, 2 … mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through the files: {done:,} so far…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no papers among these files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled pairs to import: {names}{value}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {more:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The metadata in {names} is shown once these papers are read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} skipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{links} to files outside the folder skipped: add the files themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are {accepted}; data sets are .csv, .tsv, .jsonl or .parquet files with two sentences and a label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add {papers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import {sets}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding papers was cancelled: {files} {verb} left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the other {number:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} parsed by an earlier version. Parsed and mined again, they get titles, authors, years</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and journals from their pages, whole words and cleaner pairs; all answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parse again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} {verb} to be mined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The mining rules are newer, so all {papers:,} papers are mined again; all answers are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} {verb} ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ Check {to_check:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicates {found:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no paper left in this group.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All papers are checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No file needs attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No paper contains “{text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ Needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only the files that could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check these papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only papers whose title, authors, year or text may be wrong; F2 edits a paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare papers that are likely the same, and merge them or keep both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all papers again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At a glance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are the source of all sentence pairs. Drop PDFs or folders anywhere on this window to begin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop PDFs or folders anywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{failed:,} need attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Authors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keywords</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>built-in parser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text that stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrases by domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pairs have been mined yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beside each scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recognise the text of {scans}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program ocrmypdf makes a PDF with text from each scan, which is then added as the paper. This takes some seconds per page. The scans are not changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language of the scans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As Tesseract names it; several with a plus: eng+deu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDFs with text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder for PDFs with text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>References of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>References not used…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the references would change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The domain of all matched papers; if empty, each paper keeps its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Domain of these papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Applying {name}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {name}: {done} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the references&apos; values in {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the conflict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all {conflicts:,} conflicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply {values}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>References of {name} that were not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took {values} of {papers} from {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers cannot be changed: {read_only_reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tick the values to take from the reference; Space ticks the selected rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The paper&apos;s value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value in the bibliography</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the paper&apos;s value: empty, uncertain, different, or set by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>different</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uncertain, the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{values} with {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{more:,} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs per 100 papers of each domain; the darkest cell of a row is the domain that uses the phrase most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {are} left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{papers} of {domain}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with “{phrase}” in {papers}: {rate:,.1f} per 100 papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click a bar to list its papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrases by domain…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not mined yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To be checked: {to_check}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is in {language_name}: nothing is mined from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Imported data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(no title)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{surname} et al.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error in Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the files that need attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors and files that could not be read are listed here. There are none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems, newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} of this project could not be read and {needs} attention.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied {problems}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{problems} since the window opened, the newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at my last answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review the pairs on the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blind mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch to another queue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new queue…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choosing pairs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The queue has {pairs} instead of {size:,}, because there are no more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the queue “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Round {number:,} · assigned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch to another queue, or start a new one. Your answers in this queue are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new queue of your own…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{queue_name}: {waiting:,} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with {name}{name_2} ({waiting:,} left)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{missing:,} no longer in the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected pairs · {progress_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One selected pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Blind on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Blind off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blind mode: linking phrase and distant label stay hidden until you answer. Each answer records this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Linking phrase and distant label are shown before you answer. Each answer records this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class-balanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best match first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Doubted labels first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowest confidence first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To measure precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In a simulation, a model learned no more from up to 1,000 of them than from pairs drawn at random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Good to compare classes and to train on answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In simulations 38 to 75 of the first 100 labels were wrong; of 100 pairs drawn at random 12 were.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Orders that need suggestions can be chosen once a model has made some on the Model page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skips a pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undoes the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shows all keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{read_only_reason} No answers can be given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} to review, one at a time: one key answers, saves and shows the next pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a queue of {size_box:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All pairs you have not answered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that the Pairs page shows now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain: {domain} ({papers})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your queue is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs whose label is hard to predict were drawn more often: what your answers say of all labels is under Dashboard, on the page Precision.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Rounds page shows the progress of the others, and merges the answer files that come back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{errors} read; a pair may have several tags. In brackets: the 95&#xa0;% interval for all errors of the system, valid if the errors were drawn at random.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The errors are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number:,} of {read:,} · {number_2:.0f} % ({low:.0f}-{high:.0f})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ties are decided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your part of round {number:,} is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agreed:,} of {pairs} ({percent}&#xa0;%)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You confirmed the distant label of {compared}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{seconds} in total, {seconds_2:.1f} s per pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep backups of projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder of the backups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project has no backup yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{backups}, {size} in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project has {total}, the last from {last}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reviewing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept with each answer you give in this project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name initials who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often, at most, the true class may be missing from what a model suggests. With a smaller share, it names two classes more often, or says that it is not sure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model confidence classes not sure conformal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always one class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing in at most {share} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light and dark can follow the system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dark light colour mode night</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of all text in the window. Keys: Ctrl + and Ctrl −.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom font scale larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reduced motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch off animations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>animation accessibility</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which program reads PDFs, unless you choose another one when adding papers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pdf grobid embedded built-in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GROBID address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server that PDFs are sent to if the parser is GROBID. They are sent nowhere else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server url test light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worker processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many papers are read at the same time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cpu cores speed parallel jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A backup is made next to the project when it is closed, and once a day while it changes. The last ten are kept, and one for each month.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore copy disk space size damaged undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each command&apos;s keys can be changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys remap keyboard bindings hotkeys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings of this page, as text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>config path toml</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The record of what the program did; useful to report an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>path debug</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sample project and the position of the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>path directory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test the GROBID address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>○ not tested yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>○ asking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>● ready: GROBID {version}. {notice}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>◐ starting: try again in a minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ not reachable: nothing answers at {address}. Start GROBID there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ not GROBID: {detail}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GROBID: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No matching setting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your name or initials</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One for each processor ({worker_count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder of: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to the default shortcut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change shortcut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press the new keys for “{name}”. Escape cancels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No shortcut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ {names} {verb} these keys now and will lose them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A project is one file. It holds the papers&apos; text, the pairs and every answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name cannot contain &lt; &gt; : &quot; / \ | ? * or start with a full stop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder for the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for a project of that name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} exists already. Open it, or choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are added to a project: one file that holds their text, the pairs and every answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn scientific papers into labelled sentence pairs for natural language inference. Everything stays on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open sample project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eight short made-up papers, to try everything on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The guide: your first data set in ten minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop papers here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files}, or folders of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose papers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projects that you open are listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers ({name_patterns})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for recent projects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{days} days ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{stem}, {date_text}, in {parent}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from list (Delete); the file stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {stem} from list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of these pairs is annotated yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where do distant label, annotators and model differ?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confusion matrix. Rows: distant label; columns: model. They agree on {same:,} of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The line in a cell shows the annotators’ labels of its pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confusion matrix. Rows: annotators; columns: model. They agree on {same:,} of {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The line in a cell shows the distant labels of its pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What does the model suggest?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How confident is the model?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{have} a suggestion.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that have a label and a suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Doubt of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of wrong labels, by phrases’ precision and the model; the bar is the 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that have a label from annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the annotated pairs, the share to which annotators gave another label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}”: of {pairs} about {doubt} have a wrong label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> according to the phrases’ precision and the model (95 % interval: {low:.0f} to {high:.0f} %).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence} None of them is annotated yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sentence} Annotators confirm {agreed:,} of the {answered:,} labels they checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean doubt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which labels does the model doubt?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grouped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has learned from all these labels, so it cannot judge whether they are wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distant label ↓ model →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotators ↓ model →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model suggests {value} for {pairs}, {share} of all suggestions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} with a confidence from {low} to {high} %, {share}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The distant label is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and the model agrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model says {suggested}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {share} of the row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotators say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the distant label is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{clause}, and {subject} {label}: {pairs}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that have a suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop: suggestions made so far are kept, and you can continue later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of the classes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which class stands for which relation?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The classes of {model} have numbers but no names. SciNLI&apos;s own files have this order:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relation of class {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose each relation once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is read-only, so no suggestions can be added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The suggestions shown are by {model}; they are kept until the new model has suggested labels for all pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first suggestions will appear here soon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model&apos;s folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model from the Hugging Face hub…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show doubted pairs as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model suggests the label of every pair. There are no pairs yet: add papers first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model reads every pair and suggests a label, with a confidence. Nothing leaves this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggest labels for {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggest again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggest labels for the other {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs}, none with a suggestion yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{suggested:,} of {pairs} with a suggestion by {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} without one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{labels} to check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done:,} of {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused at {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>According to the phrases’ precision and the model, about {expected_wrong:,.0f} of {labels} are wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{expected} No label is more likely wrong than right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{waiting:,} to check on the page Doubted labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{settled:,} {is_} answered, {rest}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{expected} More likely wrong than right: {doubted:,}, {rest}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The accuracy of the model is not known, because none of these pairs is annotated yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only {pairs} annotated: too few to measure the accuracy of the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{answers} since this model was made: enough to train a better one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F1 of {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped early · {sources}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>label ↓ suggestion →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confusion matrix of each run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Macro F1 on the dev pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{stage}, epoch {epoch}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{epoch_text}, step {step:,}: macro F1 {value}, accuracy {accuracy} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, the best so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{step:,} steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are predicted correctly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>are predicted as {suggested}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: of {pairs} labelled {label}, {pairs_2:,} {predicate}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, seed {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splits of the last export: {split_way_text}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{split} The best epoch is chosen on the dev pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model to start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the new model (optional)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the new model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Distant labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels from the linking phrases, for pairs that nobody has answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers of peop&amp;le</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered pairs; they have more weight than distant labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions fro&amp;m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adjacent sentences without a linking phrase, labelled by suggestions of at least this confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowest confidence of a suggestion to learn from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Leave out exported dev and test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross-validate &amp;all labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also trains {folds} models on parts of the labels; each checks the labels it has not learned (out-of-fold), so that wrong labels can be found among all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of runs, each with another seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Two stages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from distant labels first, then from answers alone, at half the learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Hypothesis only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the premise: the score shows how much the hypothesis alone reveals about the class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the run {name} and the files of its model?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions that the model made are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a run to see its training curves, or several runs to compare them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> on {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;rain {models} models{pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;rain{pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is read-only, so nothing can be trained.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{runs} on this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;rain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and keep the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and keep the best model so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume from where it was interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use for suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose this model on the Model page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this run and its model&apos;s files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused · {progress}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, the first {max_runs} shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{runs} side by side{note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of the F1 scores of the four classes, on held-out pairs, in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the confidences are from the share of correct predictions (expected calibration error), in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairs that the model learned from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models trained on this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that comes with Pairwright, measured on the pairs of the newest run: {result_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, from {settings}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: {sources_text} of {papers}. {result_text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This page trains models on your pairs. There are no pairs yet: add papers first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes with Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models trained here are listed with their training data and their scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapts a model that knows the task to your pairs. Takes minutes on a laptop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Teaches an encoder the task on your pairs: four layers, pairs of similar length together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For SciBERT, RoBERTa and other encoders of that size: all layers, distant labels first, then answers. Needs a graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings of the SciNLI papers: all layers, at most ten epochs. Needs a graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The code of SciNLI’s authors: all layers, at most five epochs. Needs a graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As for SciNLI, but at most ten epochs, as for MSciNLI. Needs a graphics card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>confident suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>confident suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command “pairwright evaluate” measures several models on the same pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to learn from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learns from {sources_text} of {papers}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step:,} of {steps:,}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> for {to_come:,} runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left} left{of_all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs_per_second:,.0f} pairs/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted: it can be resumed where it stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{state_name}. There were no held-out pairs to measure it on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> The starter model has {score_text} on the same pairs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{figures}, on {pairs}.{starter}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{runs} seeds of one recipe: macro F1 {mean} ± {stdev}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not all of these runs were measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These runs were measured on different pairs, so their scores cannot be compared. {evaluate_hint}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> on the same {pairs}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> {stopped} {was} stopped early.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is {high} points of macro F1 better than {name_2}{pairs}.{early}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {runs} to come</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show as numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{question} As numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers (*{answers_suffix} {tables});;Pairwright files (*{project_suffix})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files cannot be sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send round {round:,}: choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} in {folder}: send each annotator the files with their name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers cannot be merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge answer files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> about kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Review {conflicts}{about}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no longer mined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linked by a phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two random sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random premise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adjacent, no phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>premise in the paragraph before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>premise begins with a phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no comma after the phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begins with a capital</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begins with a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a linking phrase near the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a digit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no full stop at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics card if there is one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics card (NVIDIA)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apple GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounds and lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model and experiments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mining and papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no gold label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators and distant label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disagree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do not differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Different answer from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotation round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in no round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in no list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flagged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not flagged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has a note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as mined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggested class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model’s confidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model’s doubt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model and label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrongly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correctly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of both sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form of the hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotators disagree on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Questions about kinds of reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paper: {paper}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from {low}{suffix}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to {high}{suffix}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{system}, {keys} seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} or {names} others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright met an unexpected error ({name}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was saved before is safe, and the program goes on. Please report the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who annotates?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your name is stored with each answer. Names can be changed on the Rounds page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} annotates on another computer or account. Is that you?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If not, choose another name: all answers under one name count as the answers of one person.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes, that is me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to redo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MIT licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qt and PySide6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GNU Lesser General Public License, version 3 (LGPL)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Icons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lucide, ISC licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source Serif 4, SIL Open Font License 1.1 (OFL)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDFium, BSD and Apache licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pyqtgraph, MIT licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {version}, with Qt {qversion}. Sentence pairs for scientific inference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright projects (*.pairwright)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which project?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restoring {name}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {stem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something you wrote is not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} is not finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{jobs} are not finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And {entries:,} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has not started yet. Start it again next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder or address of the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A corpus holds the pairs of more papers than a project. It is made by the command pairwright corpus mine, and only read here. An address begins with s3:// or gs://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add its papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add their papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add {names} to {here}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers come as they were read there, with all answers, notes and lists. {here} keeps its own settings, and {names} will not be changed. One undo takes everything back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {stem} instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop an answer file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is for the answers of {name} to round {round:,} of another project.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is opened in place of {here}. To merge its answers, drop it on the project that it was sent from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links cannot be added: save the papers to a folder first, then drop them here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to open this corpus beside the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, or to add its papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to merge these answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to open this project{add}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Papers are added to the project that this file was sent from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop to add to papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guide — Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page before (Alt+Left)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No page has these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page of the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corpus {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No project has been opened yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phrases rules lexicon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disagreements suggestions doubts noise errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>suggest suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>annotate annotators people split targets send merge ties gold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kappa alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dashboard statistics charts plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dashboard papers’</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dashboard distant labels right correct sample interval accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>artefacts leaks hypothesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lab reasoning direction taxinli</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preferences options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>errors log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dashboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings could not be saved to {settings}: {strerror}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They last until the window closes. Free disk space there, or make the file writable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unexpected error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log file: {log_path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{summary} It has happened {count:,} times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright {version}
{summary}

{toplaintext}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is for answers alone: the project that it was sent from has the other pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No page was shown before this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages of {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a command or a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No matching command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relabel label annotate classify judge change class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>revert restore take back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repeat again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>load restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parquet shards million pull s3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>import insert upload pdf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>import combine join return annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exit close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merge combine join import csv tsv jsonl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merge combine join import pairwright colleague</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>again reload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extract find pairs run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{relabel} clear delete restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taxinli categories direction questionnaire annotate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore include again unmark good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore unmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exclude reject delete remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reset restore all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restore factory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save write download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predict classify model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fit learn fine-tune model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop abort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom in bigger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>help manual documentation how to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hotkeys help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is not available now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another project is being opened or closed. Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the sample project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closing the project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no backup yet. One is made when a project is closed, and once a day while it is open and changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The project will be as it was at the chosen time. Its current state is kept in {}, so that you can go back to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore a backup of {stem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts by page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change them under Settings. In text fields, single letters type text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{text}, {count:,} waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for the previous job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{left} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled. {if_stopped}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairwright met an unexpected error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See Problems.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel: what is finished is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume ({title})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the problems of {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems of {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {problems}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No job has run since the project was opened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{others} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> annotator: {short}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> Who annotates?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change who annotates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} annotates. Change it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set who annotates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Annotator: {name}. Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files}, dropped anywhere on the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mine pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentence pairs joined by linking phrases, and neutral pairs beside them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer pairs one by one: each answer corrects a label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Get suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model suggests labels, and shows which labels are probably wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files ready for training, with a data card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a benchmark with colleagues: split the papers, give rounds of pairs to several people, merge their answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How does this work?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How does this work? The guide opens beside the window (F1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the next steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not show the next steps any more. Help &gt; Next steps shows them again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All steps are done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or with colleagues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening {name}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project is still read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening another project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} — Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is gone: it was moved or deleted. Put it back, or open it from where it is now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit Pairwright</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers of round {round:,} for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open project…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a corpus…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add papers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a command…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause or resume the job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No job is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change “{text}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove “{text}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A note about this pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[picture: {text}]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As &amp;Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As &amp;LaTeX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As &amp;tab-separated text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the Hugging Face hub…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Such as allenai/scibert_scivocab_uncased. What is not on this computer yet is fetched once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model at the Hugging Face hub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not show this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These rows are too many to drag, or not read yet. Copy them with Ctrl+C and paste them instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>PDF</source>
        <comment>PDFs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>TEI file</source>
        <comment>TEI files</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>annotated pair</source>
        <comment>annotated pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>annotated pair is no longer found</source>
        <comment>annotated pairs are no longer found</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>annotator</source>
        <comment>annotators</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answer</source>
        <comment>answers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answer is</source>
        <comment>answers are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answer, mark or sentence</source>
        <comment>answers, marks and sentences</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answered pair</source>
        <comment>answered pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>answered pair has too few</source>
        <comment>answered pairs have too few</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>archive</source>
        <comment>archives</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>backup</source>
        <comment>backups</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>bad pair</source>
        <comment>bad pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>bad row</source>
        <comment>bad rows</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>byte</source>
        <comment>bytes</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>candidate</source>
        <comment>candidates</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>category</source>
        <comment>categories</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>cell</source>
        <comment>cells</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>change</source>
        <comment>changes</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>character</source>
        <comment>characters</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>conflict</source>
        <comment>conflicts</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>corrected sentence</source>
        <comment>corrected sentences</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>data set</source>
        <comment>data sets</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>day</source>
        <comment>days</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>dev pair</source>
        <comment>dev pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>difference</source>
        <comment>differences</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>discarded pair</source>
        <comment>discarded pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>distant label</source>
        <comment>distant labels</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>domain</source>
        <comment>domains</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>doubted label</source>
        <comment>doubted labels</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>doubted one</source>
        <comment>doubted ones</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>epoch</source>
        <comment>epochs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>error</source>
        <comment>errors</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>event</source>
        <comment>events</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>example</source>
        <comment>examples</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>experiment</source>
        <comment>experiments</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>failed file</source>
        <comment>failed files</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>file</source>
        <comment>files</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>file is another form</source>
        <comment>files are other forms</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>file of papers</source>
        <comment>files of papers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>file was</source>
        <comment>files were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>finished cell</source>
        <comment>finished cells</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>flag or note</source>
        <comment>flags and notes</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>font</source>
        <comment>fonts</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>frequent one was</source>
        <comment>frequent ones were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>frequent opener was</source>
        <comment>frequent openers were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>gold label</source>
        <comment>gold labels</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>gold pair</source>
        <comment>gold pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>hypothesis</source>
        <comment>hypotheses</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>imported data set</source>
        <comment>imported data sets</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>is discarded</source>
        <comment>are discarded</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>item is</source>
        <comment>items are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>job</source>
        <comment>jobs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>known pair is</source>
        <comment>known pairs are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>known paper</source>
        <comment>known papers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>label</source>
        <comment>labels</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>label is</source>
        <comment>labels are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>layer</source>
        <comment>layers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>likely duplicate</source>
        <comment>likely duplicates</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>line</source>
        <comment>lines</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>link</source>
        <comment>links</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>link that leads</source>
        <comment>links that lead</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>list</source>
        <comment>lists</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more answer does</source>
        <comment>more answers do</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more bad row</source>
        <comment>more bad rows</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more class has</source>
        <comment>more classes have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more column</source>
        <comment>more columns</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more file</source>
        <comment>more files</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more linking phrase</source>
        <comment>more linking phrases</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more pair has</source>
        <comment>more pairs have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more pair was</source>
        <comment>more pairs were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more paper</source>
        <comment>more papers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more paper has</source>
        <comment>more papers have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more run</source>
        <comment>more runs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>more value</source>
        <comment>more values</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>near-duplicate</source>
        <comment>near-duplicates</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>new answer</source>
        <comment>new answers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>new pair</source>
        <comment>new pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>new paper</source>
        <comment>new papers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>new part of data sets</source>
        <comment>new parts of data sets</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>new problem</source>
        <comment>new problems</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of these pairs has</source>
        <comment>of these pairs have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of these pairs lacks</source>
        <comment>of these pairs lack</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>opener</source>
        <comment>openers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>other domain</source>
        <comment>other domains</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>other file</source>
        <comment>other files</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>other queue</source>
        <comment>other queues</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>other reason</source>
        <comment>other reasons</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>other system</source>
        <comment>other systems</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>page</source>
        <comment>pages</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair</source>
        <comment>pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair has</source>
        <comment>pairs have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair is</source>
        <comment>pairs are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair is discarded: its</source>
        <comment>pairs are discarded: their</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair lacks</source>
        <comment>pairs lack</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair of answers</source>
        <comment>pairs of answers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair that</source>
        <comment>pairs that</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair was</source>
        <comment>pairs were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pair with a majority</source>
        <comment>pairs with a majority</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper</source>
        <comment>papers</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper has</source>
        <comment>papers have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper is</source>
        <comment>papers are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper keeps</source>
        <comment>papers keep</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper meets</source>
        <comment>papers meet</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper of this project is</source>
        <comment>papers of this project are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper shares</source>
        <comment>papers share</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>paper was</source>
        <comment>papers were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>part is</source>
        <comment>parts are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>person</source>
        <comment>people</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>person has</source>
        <comment>people have</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>phrase</source>
        <comment>phrases</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>phrase of the extended lexicon for this class is</source>
        <comment>phrases of the extended lexicon for this class are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pilot round</source>
        <comment>pilot rounds</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>positive</source>
        <comment>positives</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>prediction</source>
        <comment>predictions</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>problem</source>
        <comment>problems</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>publisher&apos;s XML</source>
        <comment>publishers&apos; XML</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>rarer phrase is</source>
        <comment>rarer phrases are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>reference</source>
        <comment>references</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>relation</source>
        <comment>relations</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>removed experiment was</source>
        <comment>removed experiments were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>row</source>
        <comment>rows</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>run</source>
        <comment>runs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sampled sentence</source>
        <comment>sampled sentences</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>scan</source>
        <comment>scans</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>seed</source>
        <comment>seeds</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>selected pair</source>
        <comment>selected pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sentence</source>
        <comment>sentences</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sentence has a near-duplicate</source>
        <comment>sentences have near-duplicates</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sentence was</source>
        <comment>sentences were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>shard</source>
        <comment>shards</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>smaller domain</source>
        <comment>smaller domains</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>suggestion</source>
        <comment>suggestions</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>table</source>
        <comment>tables</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>test pair</source>
        <comment>test pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>tie</source>
        <comment>ties</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>tie is</source>
        <comment>ties are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>tie waits</source>
        <comment>ties wait</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>token</source>
        <comment>tokens</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>training run</source>
        <comment>training runs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>value</source>
        <comment>values</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>vote</source>
        <comment>votes</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>vote is</source>
        <comment>votes are</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>word</source>
        <comment>words</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>word gives</source>
        <comment>words give</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>word was</source>
        <comment>words were</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>wrongly predicted pair</source>
        <comment>wrongly predicted pairs</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The paper is not in English, and linking phrases are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“In contrast to …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“In contrast to …”, “On the contrary to …”: a preposition, not a link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“As a result of …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“As a result of …”, “As a consequence of …”: a preposition, not a link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Thus far”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Thus far”: means until now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“That is why …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“That is why …”, “That is the …”: a statement about “that”, not a restatement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“However small …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“However small …”: a degree, not a contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Particularly in …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Particularly noteworthy …”, “Particularly in …”: a degree, not a link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Precisely the …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Precisely the …”: a degree, not a link.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Yet another …”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Yet another …”, “Yet to be …”: not a contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No comma after phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No comma after the phrase, and none of the rules that accept it without one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sentence before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence opens its section: there is nothing before it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula or list between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A formula, list or table stands between the sentence and the one before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In another paragraph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence before stands in another paragraph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Incomplete beginnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence starts in lower case or with punctuation: its beginning is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formula or “:” at end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence ends in a colon or goes on in a formula, or the next one is glued on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No final punctuation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No full stop, question or exclamation mark at the end: the sentence is unfinished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unreadable characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A character of the sentence cannot be read: its font does not say what it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unmatched brackets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The numbers of opening and closing brackets differ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer words than the lower limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More words than the upper limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formulas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A quarter or more of the words are formulas, symbols or single letters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only citations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing but a citation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headings in the sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence begins with a heading.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A second linking phrase follows the first one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not English</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentence is not English.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No verb</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No finite verb.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An earlier pair of the project has the same two sentences.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too close in the paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two drawn sentences are too close to each other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both in one paragraph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two drawn sentences are in one paragraph, where they are likelier to be related.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With a linking phrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drawn sentence starts with a linking phrase.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With a connective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drawn hypothesis starts with another connective, which no linked hypothesis does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared topic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two drawn sentences share rare words or a topic of the paper, as related ones do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few shared words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two drawn sentences have few words in common. Some such pairs are dropped, so that this does not give neutral pairs away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enough neutral pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The paper has enough neutral pairs already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One sentence contradicts, compares with, criticises, juxtaposes or limits something said in the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first gives the reason, cause or condition for the result or conclusion in the second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One generalises, specifies or has an equivalent meaning with the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two sentences are semantically independent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two sentences alone do not say. It is an answer, but no class of the data set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The label of the pair is wrong, and the system may be right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The linking phrase, or what gave the label, does not mean here what it usually means.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The two sentences alone do not say; the paragraph would.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only who knows the field can tell.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentences are long, and the system missed what matters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentences share many words, or none, and that misled the system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both the label and the system&apos;s answer can be defended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sentence is cut, glued or garbled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDFs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>publisher&apos;s XML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>publishers&apos; XML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TEI</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TEI files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>structured text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files of papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>archives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading where the papers come from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading how the project was exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembering how the project was exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembering the export&apos;s splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the releases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading an experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting pairs without a suggestion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the next step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the last audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading lists of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving a list of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renaming a list of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleting a list of pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filtering pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listing pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the names of systems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting pairs by value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading saved filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving a filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for duplicate papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Confirming papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing versions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembering the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting linking phrases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the list of papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting what would be removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading how far the annotation is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving the targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the pairs of a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closing a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading who annotates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembering who annotates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for an annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for what can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for suggestions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving answers about kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the questions about kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting pairs that wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Joining a round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading what was merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the rules for gold labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding an annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adding annotators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renaming an annotator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing with the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the review</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting what waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for the round</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for your last answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skipping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving the guidelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembering the blind mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting ties</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
