// Two sides: which facts differ, and how the mean step before becomes the mean
// step after, part by part.

// A change with its sign: +2.46 ms.
const signedTime = ns => (ns > 0 ? '+' : ns < 0 ? '−' : '±') + duration(Math.abs(ns));

// With three significant digits, like the tables: +6.15%.
function signedPercent(value) {
  if (value === null)
    return 'no limit';
  const size = Math.abs(value);
  return (value < 0 ? '−' : '+') + (size < 0.00995 ? size.toFixed(2) : size < 999.5 ? size.toPrecision(3) : size.toFixed(0)) + '%';
}

// Slower is red and faster is blue; what may be chance is grey.
const isKnownChange = change => data.comparison.known.includes(change.basis);
const changeClass = change => !isKnownChange(change) || change.before === change.after ? 'unsure'
    : change.after > change.before ? 'slower' : 'faster';

const spansText = spans => spans.map(each => Number.isInteger(each) ? each : each.toPrecision(3)).join(' to ');

// What the change rests on, in a few words; empty for a significant one.
function basisText({basis, spans, before, after}, unit) {
  switch (basis) {
  case 'spans': return 'from ' + spansText(spans) + ' spans a ' + unit;
  case 'new': return 'new';
  case 'gone': return 'gone';
  case 'chance': return before === after ? '' : 'not significant';
  case 'numbers': return 'from ' + spansText(spans) + ' spans a ' + unit + ', whose mean changed the other way';
  case 'small': return 'small, not judged';
  case 'unknown': return before === after ? '' : 'not judged';
  default: return '';
  }
}

// Where bars begin: at 0, unless the changes would be too small to be seen.
function barsFrom(levels) {
  const low = Math.min(...levels), high = Math.max(...levels);
  if (low <= 0 || high - low > high / 10 || high - low < high / 1e4)
    return 0;
  const unit = 10 ** Math.floor(Math.log10(high - low));
  return Math.max(0, Math.floor((low - (high - low)) / unit) * unit);
}

function waterfallView(comparison) {
  const {step} = comparison;
  if (!step)
    return null;
  const unit = step.steps ? 'step' : 'run';
  const levels = [step.before.ns];
  for (const part of step.parts)
    levels.push(levels.at(-1) + part.after - part.before);
  const from = barsFrom(levels), to = Math.max(...levels, from + 1);
  const percent = ns => 100 * (ns - from) / (to - from) + '%';
  const bar = (start, end, className) => {
    const box = make('span', 'fall ' + className);
    box.style.left = percent(Math.min(start, end));
    box.style.width = 100 * Math.abs(end - start) / (to - from) + '%';
    const cell = make('td', 'falls', null, box);
    return cell;
  };
  const row = (name, cell, text, note, className) => {
    const head = make('th', 'text', null, name);
    head.scope = 'row';
    return make('tr', className, null, head, cell, make('td', '', text), make('td', 'text basis', note));
  };
  const sideRow = (name, side) => row(name, bar(from, side.ns, 'whole'), duration(side.ns),
      step.steps ? 'mean of ' + counted(side.count, 'step') : side.count > 1 ? 'mean of ' + grouped(side.count) + ' runs' : 'one run', 'total');
  const body = make('tbody', '', null, sideRow('Before', step.before));
  step.parts.forEach((part, index) => {
    const name = part.row === null ? part.name
        : linkTo({tab: 'changes', filter: part.row}, part.name, '', showTabs);
    body.append(row(name, bar(levels[index], levels[index + 1], changeClass(part)), signedTime(part.after - part.before),
                    basisText(part, unit), ''));
  });
  body.append(sideRow('After', step.after));
  const head = make('tr');
  for (const [text, className] of [['Part of the ' + unit, 'text'], ['From before to after', 'text'], ['Time', ''], ['Note', 'text']])
    head.append(make('th', 'plain ' + className, text));
  const notes = [];
  if (from > 0)
    notes.push('Bars begin at ' + duration(from) + '.');
  notes.push('Times are per ' + unit + '. Red is slower, blue is faster; a grey change may be chance, or isn’t judged.');
  const place = step.before.place === step.after.place ? step.after.place
      : [step.before.place, step.after.place].filter(Boolean).join(', then ');
  const title = !step.steps ? 'How the run changed'
      : 'How a step of ' + (step.training ? 'training' : 'validation') + ' changed' + (place ? ' (' + place + ')' : '');
  if (!comparison.spread)
    notes.unshift(comparison.change);
  return makeSection('waterfall', title,
      scrolling(make('table', 'waterfall', null, make('thead', '', null, head), body), 'parts of the ' + unit),
      make('p', 'note', notes.join(' ')));
}

// What isn't compared, and why; null without any.
function uncomparedView(comparison) {
  return comparison.missing.length ? makeSection('uncompared', 'Not compared',
      ...comparison.missing.map(line => make('p', 'note', null, ...withCode(line)))) : null;
}

// Which side what follows is of.
function sideNote(run) {
  return makeSection('side', 'One side alone, ' + run.title, make('p', 'note how', 'The menu at the top chooses the side.'));
}

// The facts that differ; null without any.
function factsDiffer(comparison) {
  return comparison.facts.length ? makeSection('facts', 'What differs in the facts', ...comparison.facts.map(
      table => tableView(Object.assign({}, table, {title: ''}), 'facts', '', 'facts'))) : null;
}
