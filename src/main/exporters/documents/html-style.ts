/**
 * The style of an exported page: the window's tokens in short, light and dark by the reader's system, and paper.
 *
 * No fonts, images or anything else that would have to be loaded. Its hash is in the page's policy, so a change here
 * needs none there.
 */
export const pageStyle = `
:root{color-scheme:light dark;
--page:oklch(.998 .001 265);--inset:oklch(.958 .004 265);--text:oklch(.23 .012 265);--text-2:oklch(.415 .012 265);--text-3:oklch(.485 .012 265);
--line:oklch(.856 .006 265);--strand:oklch(.54 .175 270);--link:oklch(.46 .175 270);--err:oklch(.48 .175 25);--err-soft:oklch(.955 .022 25);--warn:oklch(.46 .095 65);--focus:oklch(.54 .19 270)}
@media (prefers-color-scheme:dark){:root{
--page:oklch(.222 .007 268);--inset:oklch(.258 .008 268);--text:oklch(.925 .004 268);--text-2:oklch(.785 .008 268);--text-3:oklch(.71 .01 268);
--line:oklch(.36 .01 268);--strand:oklch(.68 .15 272);--link:oklch(.79 .105 272);--err:oklch(.8 .105 22);--err-soft:oklch(.29 .042 22);--warn:oklch(.84 .105 82);--focus:oklch(.7 .15 272)}}
@media (prefers-contrast:more){:root{--text:CanvasText;--text-2:CanvasText;--text-3:CanvasText;--line:CanvasText}}
*,*::before{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:50rem;background:var(--page);color:var(--text);font:400 .875rem/1.375rem Inter,system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans CJK SC",sans-serif}
h1{font-size:1.25rem;line-height:1.75rem;font-weight:600;margin:0 0 .5rem}
h2{font-size:inherit;font-weight:600;margin:0;display:inline}
.prose h3,.prose h4,.prose h5,.prose h6{font-size:inherit;font-weight:600;margin:1rem 0 .25rem}
.prose h3{font-size:1rem}
p,ul,ol,table,blockquote{margin:.5rem 0}
a{color:var(--link);text-underline-offset:2px}
:focus-visible{outline:2px solid var(--focus);outline-offset:1px}
.facts{color:var(--text-3);font-size:.75rem;margin:0 0 1.5rem;display:grid;grid-template-columns:max-content 1fr;gap:.125rem .75rem}
.facts dd{margin:0;overflow-wrap:anywhere}
nav{margin:0 0 1.5rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:6px}
nav ul{margin:.25rem 0;padding-left:1.25rem}
.turn img{display:block;max-width:100%;max-height:40rem;height:auto;margin:.5rem 0;border-radius:4px}
.turn{position:relative;padding:0 0 1rem 1.5rem}
.turn::before{content:"";position:absolute;left:.3125rem;top:.5rem;bottom:-.5rem;width:1.5px;background:var(--strand);opacity:.5}
.turn>header::before{content:"";position:absolute;left:1px;top:.4375rem;width:9px;height:9px;border-radius:50%;background:var(--page);border:1.5px solid var(--strand)}
main>:last-child::before{bottom:.5rem}
.turn.user>header::before{background:var(--strand)}
.turn.tool>header::before{width:7px;height:1.5px;top:.6rem;left:.3125rem;border:0;border-radius:0;background:var(--strand)}
.turn.damaged>header::before,.turn.error>header::before{border-color:var(--err);border-radius:1px;transform:rotate(45deg)}
.turn>header{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:baseline;margin-bottom:.25rem}
time,.meta,.mark,.address,figcaption{color:var(--text-3);font-size:.75rem;font-variant-numeric:tabular-nums}
.mark{color:var(--warn);margin:.25rem 0}
.label{display:inline-flex;align-items:center;gap:.25rem;padding:0 .5rem;border-radius:99px;background:var(--inset);font-size:.75rem;font-weight:500}
.label::before{content:"";width:.5rem;height:.5rem;border-radius:50%;background:var(--dot)}
.label.blue{--dot:oklch(.6 .16 256)}.label.green{--dot:oklch(.6 .13 155)}.label.yellow{--dot:oklch(.68 .13 98)}.label.orange{--dot:oklch(.65 .16 52)}.label.red{--dot:oklch(.6 .2 25)}.label.purple{--dot:oklch(.6 .18 303)}
.address{overflow-wrap:anywhere}.image::before{content:"Image: "}
.words{white-space:pre-wrap;overflow-wrap:anywhere}
.bubble{background:var(--inset);border-radius:6px;padding:.5rem .75rem}
.damaged .words,.error .words{background:var(--err-soft);border-radius:6px;padding:.5rem .75rem}
.prose{overflow-wrap:anywhere}.prose>:first-child{margin-top:0}.prose>:last-child{margin-bottom:0}
.prose blockquote{margin-left:0;padding-left:.75rem;border-left:2px solid var(--line);color:var(--text-2)}
pre,code{font-family:"JetBrains Mono",ui-monospace,"SF Mono","Cascadia Code",Menlo,Consolas,"DejaVu Sans Mono","Noto Sans CJK SC",monospace;font-variant-ligatures:none;font-size:.75rem;line-height:1.25rem}
.prose :not(pre)>code{background:var(--inset);border-radius:3px;padding:1px 4px;font-size:.8125rem}
pre{margin:0;padding:.5rem .75rem;background:var(--inset);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
.code{margin:.5rem 0;background:var(--inset);border-radius:6px}figcaption{padding:.25rem .75rem 0}
details{border:1px solid var(--line);border-radius:6px}
summary{padding:.25rem .75rem;cursor:pointer;overflow-wrap:anywhere}summary b{font-weight:500}
details>:not(summary){margin:0 .75rem .5rem}details>pre{margin:0;border-radius:0 0 6px 6px}
.turn>details+*{margin-top:.5rem}
.table{overflow-x:auto}table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
.right{text-align:right}.center{text-align:center}
.seam{display:flex;margin:0;align-items:center;gap:.5rem;color:var(--text-3);font-size:.75rem;padding-bottom:1rem}
.seam::before,.seam::after{content:"";flex:1;border-top:1px dashed var(--line)}
footer{border-top:1px solid var(--line);padding-top:.5rem;color:var(--text-3);font-size:.75rem}
@media print{:root{color-scheme:light;--page:#fff;--inset:#f4f4f6;--text:#000;--text-2:#333;--text-3:#444;--line:#999;--strand:#555;--link:#000}
body{max-width:none;padding:0;font-size:10pt;line-height:1.4}nav{display:none}
.table{overflow:visible}th,td{padding:.125rem .25rem}
.wide table,.wide thead,.wide tbody,.wide tr{display:block}.wide tr{counter-reset:column;padding:.25rem 0;border-top:1px solid var(--line)}
.wide :is(th,td){display:inline-block;max-width:100%;border:0;text-align:left;counter-increment:column}
.wide :is(th,td)::before{content:counter(column) " ";color:var(--text-3);font-weight:400;font-size:.625rem}
.turn>header{break-after:avoid}tr,figure{break-inside:avoid}
details::details-content{content-visibility:visible;height:auto}}
`
