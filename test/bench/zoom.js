// How long a step of zooming takes on a report's timeline: 45 steps in by the
// wheel and 45 out, and as many by address. Prints the time to the second frame
// after a step, and the CPU time of the page's main thread for each.
//
//   NODE_PATH=BUILD/html/node_modules:test/Html/Inputs \
//   LOOPSCOPE_CHROMIUM=chromium node test/bench/zoom.js PAGE...
'use strict';

const {test, chart} = require('browser');
const steps = 90;

// What happens at step I, in the page.
const ways = {
  wheel: i => {
    const {left, top, width} = document.querySelector('#timeline canvas').getBoundingClientRect();
    document.querySelector('#timeline .lanes').dispatchEvent(new WheelEvent('wheel', {
      deltaY: i < 45 ? -100 : 100, ctrlKey: true, clientX: left + width * 0.37, clientY: top + 60, cancelable: true}));
  },
  address: i => {
    const {from, to} = readTimeline(runNow().timeline), middle = from + (to - from) * 0.37;
    const half = (to - from) * 0.8 ** (i % 45) / 2;
    go({range: [middle - half, middle + half]});
  },
};

test(async page => {
  await chart(page, '#timeline');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', {timeDomain: 'threadTicks'});
  const cpuTime = async () => (await session.send('Performance.getMetrics')).metrics.find(({name}) => name === 'TaskDuration').value * 1e3;
  for (const [name, step] of Object.entries(ways)) {
    const before = await cpuTime();
    const times = await page.evaluate(async ([text, count]) => {
      const act = eval(text), found = [];
      const frame = () => new Promise(done => requestAnimationFrame(done));
      for (let i = 0; i < count; ++i) {
        const from = performance.now();
        act(i);
        await frame();
        await frame();
        found.push(performance.now() - from);
      }
      return found.sort((a, b) => a - b);
    }, ['(' + step + ')', steps]);
    const cpu = (await cpuTime() - before) / steps;
    console.log(`${name}: median ${times[steps / 2].toFixed(1)} ms, 95% within ${times[Math.floor(steps * 0.95)].toFixed(1)} ms, ` +
                `${cpu.toFixed(1)} ms of CPU time`);
    await page.evaluate(() => go({range: null}));
    await page.waitForTimeout(500); // the timeline rests
  }
});
