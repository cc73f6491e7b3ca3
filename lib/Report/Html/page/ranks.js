// The ranks of a run over its steps: one row a rank, one cell a step, the longer
// the further from the page's ground. Needs single steps of several ranks.

// The runs of the page that are ranks with steps, in one order.
function ranksWithSteps(order) {
  const found = data.runs.map((run, index) => ({run, index})).filter(
      ({run}) => run.rank !== null && run.steps && run.steps.steps.length > 1);
  const mean = ({run}) => run.steps.mean;
  return found.sort((a, b) => order === 'mean' ? mean(b) - mean(a) : a.run.rank - b.run.rank);
}

function heatChart(box, chart, order) {
  const ranks = ranksWithSteps(order);
  const names = [...new Set(ranks.flatMap(({run}) => run.steps.steps.map(step => step[0])))];
  const column = new Map(names.map((name, index) => [name, index]));
  const cells = ranks.flatMap(({run}, row) => run.steps.steps.map(
      step => [column.get(step[0]), row, step[2]]));
  const times = cells.map(cell => cell[2]).sort((a, b) => a - b);
  // A few outliers would leave no colours for the others.
  const least = times[0], most = times[Math.floor(times.length * 0.99)];
  box.style.height = Math.min(90 + ranks.length * 20, 700) + 'px';
  chart.resize();
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 8, top: 8, bottom: 40, containLabel: true},
    xAxis: axis({type: 'category', data: names, axisLabel: {hideOverlap: true}}),
    yAxis: axis({type: 'category', inverse: true, data: ranks.map(({run}) => 'rank ' + run.rank)}),
    visualMap: {type: 'continuous', min: least, max: most, orient: 'horizontal',
                left: 'center', bottom: 0, itemHeight: 120, itemWidth: 10, formatter: duration, calculable: false,
                text: [(times.at(-1) > most ? '≥ ' : '') + duration(most), duration(least)], textStyle: {color: cssColour('--quiet')},
                inRange: {color: [cssColour('--raised'), '#4271cc', cssColour('--heat')]}},
    series: [{type: 'heatmap', data: cells, progressive: 0}],
  }));
  chart.setOption({tooltip: {formatter: at => tooltipLines(
      'rank ' + ranks[at.value[1]].run.rank + ', step ' + names[at.value[0]], duration(at.value[2]))}});
  chart.on('click', at => {
    const {run, index} = ranks[at.value[1]];
    go({run: index});
    const step = run.steps.steps.find(each => each[0] === names[at.value[0]]);
    if (step)
      goToStep(step);
  });
}

// Null where there are fewer than two such ranks.
function ranksView() {
  if (ranksWithSteps('rank').length < 2)
    return null;
  let order = 'rank';
  const box = chartBox('Time of each step of each rank', (element, chart) => heatChart(element, chart, order));
  const sorting = makeSwitch('Order', [['rank', 'By rank'], ['mean', 'Slowest first']], order, value => {
    order = value;
    sorting.show(order);
    box.redraw();
  });
  return makeSection('ranks', 'Steps of the ranks', make('div', 'tools', null, sorting,
      make('span', 'hint how', 'A click shows the step in its rank’s timeline.')), box);
}
