// The row that stays on top: what ran, which run is shown, the search, the
// theme.

function showHead(run) {
  const title = data.comparison ? data.runs.map(side => side.title).join(', ') : run.title;
  document.title = title + ' – Loopscope';
  document.getElementById('title').textContent = title;
  const command = document.getElementById('command');
  // A trace has no command: how many events it has.
  command.textContent = command.title = run.process ? run.command : groupedText(run.command);
  document.getElementById('where').textContent =
      [run.host, run.process, run.rank === null ? '' : 'rank ' + run.rank, dateText(run.started)].filter(Boolean).join(', ');
}

// How RUNs are told apart: by rank where they are the ranks of one program.
function runNames() {
  const ranks = new Set(data.runs.map(run => run.rank));
  const isRanks = !ranks.has(null) && ranks.size === data.runs.length;
  return {label: isRanks ? 'Rank' : 'Run',
          names: data.runs.map(run => run.rank === null ? run.title : run.title + ', rank ' + run.rank)};
}

function startHead() {
  const {label, names} = runNames();
  const place = document.getElementById('run-label');
  place.hidden = data.runs.length < 2;
  place.prepend(label + ' ');
  const chooser = document.getElementById('run');
  names.forEach((name, index) => chooser.append(new Option(name, index)));
  chooser.addEventListener('change', () => go({run: Number(chooser.value)}));
  const search = document.getElementById('search');
  search.addEventListener('input', () => go({search: search.value}, true));
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter')
      nextFound(event.shiftKey ? -1 : 1);
  });
  const button = document.getElementById('theme');
  const use = theme => {
    setTheme(theme);
    button.setAttribute('aria-pressed', String(theme === 'dark'));
  };
  button.addEventListener('click', () =>
      use(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  use(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
      return;
    event.preventDefault();
    search.focus();
  });
  watchState(() => {
    chooser.value = String(state.run);
    if (search.value !== state.search)
      search.value = state.search;
  });
}

// Chooses the next call path that the search finds, or the one before.
function nextFound(by) {
  const found = treeNow().nodes.filter(node => isFound(node.name));
  if (!found.length)
    return;
  const now = found.findIndex(node => node.id === state.node);
  go({node: found[(now + by + found.length) % found.length].id});
}
