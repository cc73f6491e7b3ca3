// The pictures of docs/screenshots.sh: node screenshots.js PAGES IMAGES
'use strict';

const {withReport, chart} = require('browser');
const [pages, images] = process.argv.slice(2);

// One picture: all charts in view drawn to the end, from the top of the page.
async function shoot(name, file, options, prepare) {
  await withReport(`${pages}/${file}`, options, async page => {
    await prepare(page);
    await page.evaluate(() => scrollTo(0, 0));
    // Large charts draw in several frames.
    await page.waitForTimeout(1500);
    await page.screenshot({path: `${images}/${name}.png`});
  });
}

(async () => {
  const wide = {width: 1100, height: 1500};
  await shoot('trace-light', 'trace.html', {viewport: wide, colorScheme: 'light'},
              page => chart(page, '#timeline'));
  await shoot('profile-dark', 'profile.html', {viewport: wide, colorScheme: 'dark'},
              async page => {
                await page.locator('#view-tree tbody tr:has-text("forward")').first().click();
                await chart(page, '#timeline');
              });
  await shoot('trace-narrow', 'trace.html',
              {viewport: {width: 390, height: 1300}, colorScheme: 'light'},
              page => chart(page, '#timeline'));
})();
