// Steps as stacked bars, and the slowest of them: each is a click from its place
// in the timeline.

// Bars taller than this many medians are cut, and marked.
const tallest = 4;

function medianOf(numbers) {
  return numbers.slice().sort((a, b) => a - b)[numbers.length >> 1];
}

// The part of the timeline that shows a step, with a little around it.
function rangeOf([, start, ns]) {
  return start === null ? null : [Math.max(0, Math.round(start - ns * 0.1)), Math.round(start + ns * 1.1)];
}

const showTimeline = () => reveal(document.getElementById('timeline'));

function goToStep(step) {
  const range = rangeOf(step);
  if (!range || !document.getElementById('timeline'))
    return;
  go({range});
  showTimeline();
}

function stepsChart(chart, steps, isLog) {
  const times = steps.steps.map(step => step[2]);
  const limit = tallest * medianOf(times);
  const cuts = isLog ? [] : times.flatMap((ns, index) => ns > limit ? [index] : []);
  const top = cuts.length ? limit : undefined;
  // What a cut bar's parts are drawn as: the lower ones whole.
  const drawn = times.map(() => 0);
  const series = steps.parts.map(part => ({
    type: 'bar', stack: 'step', name: part.name, barCategoryGap: '10%',
    itemStyle: {color: colourOf(part.name)},
    data: part.ns.map((ns, index) => {
      const shown = top === undefined ? ns : Math.max(0, Math.min(ns, top - drawn[index]));
      drawn[index] += shown;
      return shown;
    })}));
  const logBars = [{type: 'bar', name: 'step', barCategoryGap: '10%', data: times,
                    itemStyle: {color: structureColour}}];
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 8, top: 20, bottom: 8, containLabel: true},
    xAxis: axis({type: 'category', data: steps.steps.map(step => step[0]), axisLabel: {hideOverlap: true}}),
    yAxis: axis({type: isLog ? 'log' : 'value', max: top, axisLabel: {formatter: duration, hideOverlap: true, showMaxLabel: top === undefined},
                 min: isLog ? Math.max(1, Math.min(...times) * 0.8) : undefined}),
    series: [...(isLog ? logBars : series),
             {type: 'scatter', name: 'outlier', symbol: 'triangle', symbolSize: 9, silent: false,
              itemStyle: {color: cssColour('--text')}, symbolOffset: [0, -8], clip: false,
              data: cuts.map(index => [index, top])}],
  }));
  chart.setOption({tooltip: {trigger: 'item', formatter: at => {
    const index = at.seriesName === 'outlier' ? at.value[0] : at.dataIndex;
    const step = steps.steps[index];
    const parts = steps.parts.filter(part => part.ns[index] > 0).sort((a, b) => b.ns[index] - a.ns[index]);
    return tooltipLines('step ' + step[0] + ': ' + duration(step[2]),
                        ...parts.slice(0, 8).map(part => part.name + ' ' + duration(part.ns[index])));
  }}});
  chart.on('click', at => goToStep(steps.steps[at.seriesName === 'outlier' ? at.value[0] : at.dataIndex]));
}

// What the colours are, each a link to its rows, with the mean over all steps.
function stepsLegend(steps) {
  const list = make('p', 'small-parts');
  for (const part of steps.parts) {
    const text = part.name + ' ' + duration(part.mean);
    const dot = make('span', 'dot');
    dot.style.backgroundColor = colourOf(part.name);
    list.append(make('span', 'small-part', null, dot, part.node === null ? make('span', '', text)
        : linkTo({node: part.node, tab: 'tree'}, text, '', showTabs)));
  }
  return list;
}

function slowestView(steps, hasTimeline) {
  const list = make('ol', 'slowest');
  for (const slow of steps.slowest) {
    const range = hasTimeline && rangeOf(slow.step);
    const text = 'step ' + slow.step[0] + ', ' + duration(slow.step[2]);
    list.append(make('li', '', null,
        range ? linkTo({range}, text, '', showTimeline) : make('span', '', text),
        ...(slow.above > 0 ? [': ', slow.node === null ? slow.part
            : linkTo({node: slow.node, tab: 'tree'}, slow.part, '', showTabs),
            ' took ' + duration(slow.above) + ' more than its mean'] : [])));
  }
  return make('div', 'slow', null, make('h3', '', 'Slowest steps'), list);
}

// Which steps the chart has, and which its figures are of.
function countText(steps) {
  const shown = steps.steps.length;
  const read = steps.hidden + shown;
  if (steps.unread)
    return 'The last ' + grouped(shown) + ' of ' + grouped(steps.unread + read) + ' steps. Means and the slowest are of the last ' +
        grouped(read) + ', which the page has read.';
  if (steps.hidden)
    return 'The last ' + grouped(shown) + ' of ' + grouped(read) + ' steps.';
  return shown === 1 ? 'One step.' : 'All ' + grouped(shown) + ' steps.';
}

// Those of STEPS that began in PART, with their own means.
function stepsIn(steps, part) {
  const kept = steps.steps.flatMap(([, start], index) => start !== null && start >= part.from && start < part.to ? [index] : []);
  const mean = list => list.length ? list.reduce((sum, ns) => sum + ns, 0) / list.length : 0;
  const parts = steps.parts.map(each => {
    const ns = kept.map(index => each.ns[index]);
    return Object.assign({}, each, {ns, mean: mean(ns)});
  });
  return Object.assign({}, steps, {
    steps: kept.map(index => steps.steps[index]), parts: parts.filter(each => each.mean > 0),
    slowest: steps.slowest.filter(({step: [, start]}) => start !== null && start >= part.from && start < part.to)});
}

// Which of STEPS are in PART, in words.
function partText(steps, shown, part) {
  const rest = steps.hidden || steps.unread ? ' The page has single steps only of the end of the run, and the slowest.' : '';
  return (shown.steps.length ? grouped(shown.steps.length) + ' steps of ' : 'No single steps of ') + partTime(part) + '.' + rest;
}

function stepsView(run) {
  const {steps, history} = run;
  if (!steps || !steps.steps.length)
    return null;
  let isLog = false, shown = steps;
  const count = make('span', 'hint');
  const box = chartBox('Time of each step by part; the slowest are listed beside it',
                       (element, chart) => stepsChart(chart, shown, isLog));
  box.classList.add('steps-chart');
  const scale = makeSwitch('Scale', [['linear', 'linear'], ['log', 'log']], 'linear', value => {
    isLog = value === 'log';
    scale.show(value);
    box.redraw();
  });
  const tools = make('div', 'tools', null, count, scale), chart = make('div'), grid = make('div', 'beside', null, chart);
  const section = makeSection('steps', 'Steps', grid);
  section.update = changed => {
    if (!changed.has('part'))
      return;
    const part = history && history.timeline ? partNow(history) : null;
    shown = part ? stepsIn(steps, part) : steps;
    count.textContent = (part ? partText(steps, shown, part) : countText(steps)) +
        (state.part && history && !part ? ' These steps are of the whole run: they don’t count from the curve’s start.' : '');
    scale.hidden = !shown.steps.length;
    chart.replaceChildren(tools, ...(shown.steps.length ? [box, stepsLegend(shown)] : []));
    grid.replaceChildren(chart, ...(shown.slowest.length ? [slowestView(shown, Boolean(run.timeline))] : []));
    box.redraw();
  };
  section.update(new Set(['part']));
  return section;
}
