// Uses everything on a page that can be used, in every tab: prints what does
// nothing, what goes elsewhere than it says, and what axe finds where a click
// led. node crawl.js PAGE
'use strict';

const {withReport} = require('browser');
const fs = require('fs');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// What people may try on the page: also what isn't a control and looks like
// one. A chosen tab and a pressed button of a switch say that they are it.
function usable() {
  const controls = 'a[href], button, [role=tab], tr.leads, tr[data-node], .twig:not(:empty)';
  const chosen = '[aria-selected=true], .switch [aria-pressed=true], [aria-disabled=true], [aria-current], .skip, option';
  const looksSo = element => getComputedStyle(element).cursor === 'pointer' &&
      getComputedStyle(element.parentElement).cursor !== 'pointer';
  return [...document.querySelectorAll('body *')].filter(element =>
      (element.matches(controls) || looksSo(element)) && !element.matches(chosen) &&
      !element.closest('.chart') && element.getClientRects().length);
}

// All that a click may change. A chart that is drawn anew is another one.
function seen() {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll('.chart, script, style').forEach(each => each.replaceChildren());
  const charts = [...document.querySelectorAll('.chart')].map(each => each.chart && each.chart.id);
  return JSON.stringify([copy.innerHTML, charts, state, document.documentElement.dataset.theme, Math.round(scrollY)]);
}

// The page as it opens at the state TO, with nothing opened, sorted or filtered.
function reset(to) {
  go(Object.assign({}, defaults, to), true);
  showRun();
  scrollTo(0, 0);
}

// Clicks what is usable from the state START: all, or what is in tables. What
// each did, and the index of it.
function useAll(start, onlyTables) {
  const results = [];
  reset(start);
  const count = usable().length;
  for (let index = 0; index < count; ++index) {
    reset(start);
    const element = usable()[index];
    if (!element || (onlyTables && !element.closest('#panel')))
      continue;
    const place = element.closest('section[id], header, footer');
    const kind = `${place && (place.id || place.tagName)} ${element.tagName} ${element.className.split(' ')[0]}`;
    const text = element.textContent.slice(0, 60);
    const href = element.tagName === 'A' && element.href;
    const before = seen();
    element.click();
    const row = document.querySelector(`tr[data-node="${state.node}"][aria-selected=true]`);
    results.push({index, kind, text,
                  isDead: before === seen(), isLost: state.node !== null && state.tab === 'tree' && !row,
                  isElsewhere: href && href.replace(/#$/, '') !== location.href && href + ' became ' + location.href});
  }
  return results;
}

// Chooses what menus offer.
function useMenus(start) {
  const dead = [];
  reset(start);
  for (const select of document.querySelectorAll('main select'))
    for (const option of [...select.options].slice(1)) {
      const before = seen();
      select.value = option.value;
      select.dispatchEvent(new Event('change'));
      if (before === seen())
        dead.push(option.text);
    }
  return dead;
}

async function crawl(file) {
  await withReport(file, {viewport: {width: 1280, height: 900}, reducedMotion: 'reduce'}, async page => {
    await page.evaluate(axe);
    await page.addScriptTag({content: [usable, seen, reset, useAll, useMenus].join('\n')});
    const problem = (...words) => {
      console.log('problem:', ...words);
      process.exitCode = 1;
    };
    let clicks = 0;
    const checked = new Set();
    const runs = await page.evaluate(() => data.runs.length);
    for (let run = 0; run < runs; ++run) {
      await page.evaluate(start => reset(start), {run});
      const tabs = await page.$$eval('[role=tab]', found => found.map(tab => tab.dataset.tab));
      for (const tab of tabs) {
        const start = {run, tab};
        // What is outside the tables is the same in every tab.
        const results = await page.evaluate(([from, only]) => useAll(from, only), [start, tab !== tabs[0]]);
        clicks += results.length;
        for (const {index, kind, text, isDead, isLost, isElsewhere} of results) {
          const where = `run ${run}, ${tab}: ${kind} "${text}"`;
          if (isDead)
            problem('nothing happens:', where);
          if (isLost)
            problem('its row is not there:', where);
          if (isElsewhere)
            problem('goes elsewhere:', where, isElsewhere);
          if (checked.has(tab + kind))
            continue;
          checked.add(tab + kind);
          const found = await page.evaluate(([from, number]) => {
            reset(from);
            usable()[number].click();
            return axe.run(document, {resultTypes: ['violations']});
          }, [start, index]);
          for (const each of found.violations)
            problem('axe after', where + ':', each.id, each.nodes[0].html.slice(0, 200));
        }
        for (const option of await page.evaluate(from => useMenus(from), start))
          problem('nothing happens:', `run ${run}, ${tab}: menu "${option}"`);
      }
    }
    console.log(`${clicks} clicks, ${checked.size} states`);
  });
}

crawl(process.argv[2]).catch(error => {
  console.log('failed:', error.message);
  process.exitCode = 1;
});
