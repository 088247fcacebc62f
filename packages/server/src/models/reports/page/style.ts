/** Of the page; it holds no text of anybody's. */
export const reportStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { max-width: 46rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 1rem; }
dt { opacity: .75; }
dd { font-size: 1.6rem; margin: 0; }
dd.note, figcaption, .legend, .facts { font-size: .85rem; opacity: .8; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid rgb(128 128 128 / .3); }
th:first-child { text-align: left; }
.confusion thead span { writing-mode: vertical-rl; }
.confusion td { min-width: 1.6rem; text-align: center; }
svg { max-width: 22rem; width: 100%; font-size: 11px; fill: currentColor; }
svg path, svg polyline { fill: none; stroke: #0072b2; stroke-width: 2; }
svg circle { fill: #0072b2; }
svg .grid path { stroke: rgb(128 128 128 / .3); stroke-width: 1; }
svg .ideal { stroke: rgb(128 128 128 / .8); stroke-width: 1; stroke-dasharray: 4; }
.images { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.2rem; align-items: end; }
figure { margin: 0; }
figcaption span { display: block; overflow-wrap: anywhere; }
.frame { position: relative; }
.frame img { display: block; width: 100%; }
.frame i { position: absolute; box-sizing: border-box; }
i.expected, i.found { border: 3px solid #2e9e5b; }
i.found { border-color: #d5452f; }
.legend i { display: inline-block; width: .8rem; height: .8rem; box-sizing: border-box; margin-left: .8rem; }
.gone { border: 1px dashed; padding: 1rem; opacity: .7; }
`;
