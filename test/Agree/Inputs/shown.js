// Everything with a digit that a page shows, in each state that a click can lead to:
// the texts of elements, their titles and their labels, with where their links lead.
// node shown.js SELECTORS PAGE... writes a line of json for each state to PAGE.shown.
// SELECTORS is a file with a json list; an element is of the first one that it or one
// above it matches, and what matches none is printed.
'use strict';

const {withReport} = require('browser');
const fs = require('fs');
const path = require('path');

// What is shown now, of the part of the page that ROOT selects.
function shown(selectors, root) {
  const units = new Map(), uncovered = [];
  const isShown = element => !element.closest('script, style, noscript, .more[hidden]');
  const take = (element, text) => {
    if (!/\d/.test(text) || !isShown(element))
      return;
    const index = selectors.findIndex(selector => element.closest(selector));
    if (index < 0)
      uncovered.push((element.closest('[id]') || document.body).id + ' ' + element.tagName + '.' + element.getAttribute('class') + ': ' + text.trim());
    else
      units.set(element.closest(selectors[index]), index);
  };
  for (const top of document.querySelectorAll(root)) {
    const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let text; (text = walk.nextNode());)
      take(text.parentElement, text.data);
    for (const element of top.querySelectorAll('[title], [aria-label], [placeholder]'))
      for (const name of ['title', 'aria-label', 'placeholder'])
        take(element, element.getAttribute(name) || '');
  }
  // Where a link leads: names from the root, and what else its address says.
  const target = link => {
    const to = stateOf(new URL(link.href).hash), {nodes, families} = data.runs[to.run].tree;
    const names = [];
    for (let at = to.node; at !== null && at !== undefined; at = nodes[at][1])
      names.unshift(nodes[at][0]);
    const node = to.node === null ? null : nodes[to.node];
    return {text: link.textContent, run: to.run, tab: to.tab, filter: to.filter, range: to.range, line: to.line, names, node: to.node,
            place: node && node[4] ? data.runs[to.run].tree.files[node[3]] + ':' + node[4] : '',
            key: to.key === null ? null : families.find(each => each.node === to.node).keys[to.key][0]};
  };
  const within = (element, selector) => [...(element.matches(selector) ? [element] : []), ...element.querySelectorAll(selector)];
  const items = [...units].map(([element, index]) => {
    const table = element.tagName === 'TR' && element.closest('table');
    const texts = [], walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text; (text = walk.nextNode());)
      if (text.parentElement.tagName !== 'title' && text.data.trim() && isShown(text.parentElement))
        texts.push(text.data.trim());
    return {
      at: index, texts, side: element.closest('.side') ? [...document.querySelectorAll('.side')].indexOf(element.closest('.side')) : null, node: element.dataset.node === undefined ? null : Number(element.dataset.node), panel: element.closest('[data-view]')?.dataset.view ?? null,
      titles: within(element, '[title]').map(each => each.getAttribute('title')).concat([...element.querySelectorAll('title')].map(each => each.textContent)),
      labels: within(element, '[aria-label]').map(each => each.getAttribute('aria-label')),
      cells: table ? [...element.cells].map(each => each.textContent) : null,
      header: table ? [...table.tHead.rows[0].cells].map(each => each.textContent) : null,
      table: table ? [...document.querySelectorAll('#panel table')].indexOf(table) : null,
      code: within(element, 'code').map(each => each.textContent),
      links: within(element, 'a[href]').map(target)};
  });
  return {items, uncovered};
}

// The states of the page's run, [what it is, what to collect], one by one.
async function* states(page, run) {
  const to = patch => page.evaluate(next => go(Object.assign({}, defaults, {run: state.run}, next), true), patch);
  await to({run});
  // Bars fit their names before the next frame.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  yield [{}, 'body'];
  for (const tab of await page.$$eval('[role=tab]', found => found.map(each => each.dataset.tab)))
    for (let table = 0; table === 0 || await page.$(`#panel select option[value="${table}"]`); ++table) {
      if (table === 0)
        await to({tab});
      else
        await page.selectOption('#panel select', String(table));
      for (const button of await page.$$('#panel .tools button'))
        await button.evaluate(each => each.click());
      yield [{tab, table}, '#panel'];
    }
  await to({});
  if (await page.$('#curves')) {
    await page.click('#curves button:has-text("By step")');
    yield [{axis: 'step'}, '#curves'];
  }
  const figures = await page.$$eval('#history .figures button', found => found.map(each => each.textContent));
  for (const [index, figure] of figures.entries()) {
    await page.click(`#history .figures button >> nth=${index}`);
    yield [{figure}, '#history .curve-box'];
    const bins = await page.evaluate(() => runNow().history.ends.length);
    await page.focus('#history .curve-box');
    for (let bin = 0; bin < bins && bin < 12; ++bin) {
      await page.keyboard.press('ArrowRight');
      yield [{figure, bin}, '#history .curve-bin'];
    }
    await page.evaluate(() => showRun());
  }
  const ends = await page.evaluate(() => runNow().history ? runNow().history.ends : []);
  for (const [first, last] of ends.length > 2 ? [[1, ends.length - 2], [0, 0]] : []) {
    await to({part: [first ? ends[first - 1] : 0, ends[last]]});
    yield [{first, last}, '#history .part-of-run, #steps'];
  }
  const nodes = await page.evaluate(() => treeNow().nodes.length);
  for (let node = 0; node < nodes && node < 6; ++node) {
    await to({node});
    yield [{node}, '#icicle, #source'];
  }
  const families = await page.evaluate(() => treeNow().nodes.filter(each => each.family).map(each => [each.id, each.family.keys.length]));
  for (const [node, count] of families)
    for (const key of [null, 0, 1].filter(each => each < count)) {
      await to({node, key});
      yield [{node, key}, '#keys'];
    }
  await to({search: 'a'});
  yield [{search: 'a'}, '#icicle .found-sum, #panel'];
  if (await page.evaluate(() => Boolean(runNow().timeline))) {
    const range = await page.evaluate(() => {
      const {from, to} = runNow().timeline;
      return [from + Math.floor((to - from) / 4), from + Math.floor((to - from) / 2)];
    });
    await to({range});
    await page.click('button:has-text("Sum of what is shown")');
    yield [{range: await page.evaluate(() => state.range)}, '#timeline'];
  }
}

async function look(file, selectors) {
  await withReport(file, {viewport: {width: 1280, height: 900}, reducedMotion: 'reduce'}, async page => {
    await page.addScriptTag({content: shown.toString()});
    const lines = [], uncovered = new Set();
    const runs = await page.evaluate(() => data.runs.length);
    for (let run = 0; run < runs; ++run)
      for await (const [what, root] of states(page, run)) {
        const found = await page.evaluate(([list, within]) => shown(list, within), [selectors, root]);
        found.uncovered.forEach(each => uncovered.add(each));
        lines.push(JSON.stringify({run, state: what, items: found.items}));
      }
    for (const each of uncovered)
      console.log(path.basename(file), 'has what nothing is compared with:', each);
    fs.writeFileSync(file + '.shown', lines.join('\n') + '\n');
  });
}

const [selectors, ...files] = process.argv.slice(2);
Promise.all(files.map(file => look(file, JSON.parse(fs.readFileSync(selectors, 'utf8'))))).catch(error => {
  console.log('failed:', error.message);
  process.exitCode = 1;
});
