// The first screen: how fast the run goes, where a step goes, what bounds it and
// what to do, each with a link to the rows that it rests on.

const showTabs = () => reveal(document.getElementById('tables'));

function factsView(run) {
  const list = make('dl', 'facts');
  for (const fact of run.facts)
    list.append(make('div', '', null, make('dt', '', fact.label),
                     make('dd', '', fact.value.replace(/^\d{4,}/, grouped),
                          ...(fact.note ? [' ', make('small', '', groupedText(fact.note))] : []))));
  return list;
}

// Small parts that are named.
const smallPartsAtMost = 8;

// A name that doesn't fit its segment stands below the bar instead.
const fitting = new ResizeObserver(bars => bars.forEach(({target}) => target.fit()));

// A bar has so many segments at most.
const segmentsAtMost = 24;

// PARTS, the smallest of which are one where there are many: a bar of thousands
// is wider than the page and shows none.
function mainParts(parts) {
  if (parts.length <= segmentsAtMost)
    return parts;
  const large = new Set(parts.slice().sort((a, b) => b.ns - a.ns).slice(0, segmentsAtMost - 1));
  const small = parts.filter(part => !large.has(part));
  const together = {name: counted(small.length, 'smaller part'), node: null, colour: restColour, ns: small.reduce((sum, part) => sum + part.ns, 0)};
  return [...large, together].sort((a, b) => b.ns - a.ns);
}

// Where all parts of a bar are in a table: the run's in the account, a step's below
// its call path.
function restLink(split, run, exact) {
  if (exact && data.runs[run].views.some(view => view.name === 'account'))
    return linkTo({run, tab: 'account', filter: ''}, '', '', showTabs);
  return exact || split.node === null ? make('span') : linkTo({run, node: split.node, tab: 'tree'}, '', '', showTabs);
}

// A bar's segments, with their names where there is room. EXACT: the shares that
// are printed add up to 100 %.
function splitView(split, run = state.run, exact = false) {
  const parts = mainParts(split.parts);
  const whole = parts.reduce((sum, part) => sum + part.ns, 0);
  const shares = exact && whole > 0 ? sharesOf(parts.map(part => part.ns)) : null;
  const bar = make('div', 'split');
  const small = make('p', 'small-parts');
  const segment = (part, index, className) => {
    const text = part.name + ' ' + (shares ? shares[index] : percentOf(part.ns, whole));
    const item = part.node === null ? make('span', className, text)
        : linkTo({run, node: part.node, tab: 'tree'}, text, className, showTabs);
    item.title = text + ', ' + duration(part.ns);
    return item;
  };
  parts.forEach((part, index) => {
    const colour = part.colour || colourOf(part.name);
    const item = segment(part, index, 'segment');
    item.style.flexGrow = whole > 0 ? part.ns / whole : 0;
    item.style.backgroundColor = colour;
    bar.append(item);
    const dot = make('span', 'dot');
    dot.style.backgroundColor = colour;
    small.append(make('span', 'small-part', null, dot, segment(part, index, '')));
  });
  const rest = restLink(split, run, exact);
  const more = make('span', 'small-part more', null, rest);
  more.hidden = true;
  small.append(more);
  bar.fit = () => {
    let below = 0;
    const items = [...bar.children];
    items.forEach((item, index) => item.textContent = small.children[index].textContent);
    const narrow = items.map(item => item.scrollWidth > item.clientWidth);
    items.forEach((item, index) => {
      below += narrow[index];
      small.children[index].hidden = !narrow[index] || below > smallPartsAtMost;
      if (narrow[index])
        item.textContent = '';
      // Its name is a link below.
      item.setAttribute('aria-hidden', String(narrow[index]));
      narrow[index] ? item.tabIndex = -1 : item.removeAttribute('tabindex');
    });
    more.hidden = below <= smallPartsAtMost;
    rest.textContent = below - smallPartsAtMost + ' more';
    small.hidden = below === 0;
  };
  fitting.observe(bar);
  return make('div', exact ? 'goes whole' : 'goes step', null, make(data.comparison ? 'h3' : 'h2', '', split.title), bar, small);
}

// The link to what a finding rests on; null without any.
function evidenceLink(finding) {
  if (finding.node !== undefined)
    return linkTo({node: finding.node, key: finding.key ?? null, tab: 'tree', filter: ''}, 'show', 'show', finding.key === undefined ? showTabs : showKeys);
  if (finding.view && runNow().views.concat(data.shared).some(view => view.name === finding.view))
    return linkTo({tab: finding.view, filter: finding.filter}, 'show', 'show', showTabs);
  return null;
}

function withEvidence(item, finding) {
  const link = evidenceLink(finding);
  if (link) {
    link.setAttribute('aria-label', 'Show ' + (finding.rows || finding.text));
    item.append(' ', link);
  }
  return item;
}

function verdictView(verdict) {
  const text = groupedText(verdict.text), at = text.indexOf(': ');
  const line = make('p', 'verdict', null, make('strong', '', text.slice(0, at < 0 ? undefined : at)),
                    ...(at < 0 ? [] : withCode(text.slice(at))));
  return withEvidence(line, verdict);
}

// What is said of all ranks of the page together; none without.
function ranksFindings() {
  const ranks = data.shared.find(view => view.name === 'ranks');
  const lines = ranks ? ranks.tables.flatMap(table => table.preamble) : [];
  return lines.map(line => {
    const text = line.replace(/^Verdict: (.)/, (all, first) => first.toUpperCase());
    const item = text === line ? make('p', 'verdict', null, ...withCode(line)) : verdictView({text});
    item.append(' ', linkTo({tab: 'ranks', filter: ''}, 'show', 'show', showTabs));
    return item;
  });
}

function adviceView(list) {
  if (!list.length)
    return make('p', 'note', 'No advice: no rule found time to save.');
  const view = make('ol', 'advice');
  for (const finding of list) {
    const item = make('li', finding.text.startsWith('Warning') ? 'warn' : '');
    item.append(make('span', '', null, ...withCode(finding.text)));
    if (finding.saves !== undefined)
      item.append(make('span', 'saves', 'saves up to ' + duration(finding.saves)));
    view.append(withEvidence(item, finding));
  }
  return view;
}

// Both sides of a comparison, one above the other: a bar is as long as its mean
// step is, beside the other's.
function comparedView() {
  const view = make('section', 'answer');
  view.id = 'answer';
  view.setAttribute('aria-label', 'Both sides');
  const meanOf = run => {
    const whole = run.split ? run.split.parts.reduce((sum, part) => sum + part.ns, 0) : 0;
    const node = run.split && run.split.node !== null ? readTree(run).nodes[run.split.node] : null;
    return whole / Math.max(1, node ? node.calls : 1);
  };
  const most = Math.max(...data.runs.map(meanOf), 1);
  data.runs.forEach((run, index) => {
    const side = make('section', 'side', null, make('h2', '', run.title), factsView(run));
    if (run.split && !data.comparison.step) {
      const split = splitView(run.split, index);
      split.querySelector('.split').style.width = 100 * meanOf(run) / most + '%';
      side.append(split);
    }
    if (run.verdict.text)
      side.append(make('p', '', null, ...withCode(run.verdict.text)));
    view.append(side);
  });
  return view;
}

function answerView(run) {
  if (data.comparison)
    return comparedView();
  const view = make('section', 'answer');
  view.id = 'answer';
  view.setAttribute('aria-label', 'The answer');
  view.append(factsView(run));
  if (run.said)
    view.append(make('p', 'hint', run.said));
  if (run.account)
    view.append(splitView(run.account, state.run, true));
  if (run.split)
    view.append(splitView(run.split));
  const ofRanks = ranksFindings();
  view.append(...ofRanks);
  const isSaid = ofRanks.length && run.rank === null; // the sum of the ranks
  if (run.verdict.text && !isSaid) {
    const line = verdictView(run.verdict);
    if (ofRanks.length)
      line.prepend('Rank ' + run.rank + ' alone: ');
    view.append(line);
  }
  view.append(adviceView(run.advice));
  return view;
}
