/** Commands that define others: what a formula then shows, and how long that takes, is not what is written. */
const defining = [
  ...['def', 'gdef', 'edef', 'xdef', 'let', 'futurelet', 'global', 'long'],
  ...['newcommand', 'renewcommand', 'providecommand', 'expandafter', 'noexpand'],
]
/** Commands that leave out what is given to them, or that KaTeX draws without it where it trusts nobody. */
const leavingOut = [
  ...[
    'phantom',
    'hphantom',
    'vphantom',
    'mathchoice',
    'TextOrMath',
    'message',
    'errmessage',
    'show',
  ],
  ...['href', 'url', 'includegraphics', 'htmlClass', 'htmlId', 'htmlStyle', 'htmlData'],
]
/** Commands that draw over what stands beside, or backwards. */
const covering = [
  ...['smash', 'rlap', 'llap', 'clap', 'mathrlap', 'mathllap', 'mathclap', 'raisebox', 'fcolorbox'],
  ...['reflectbox', 'mathreflectbox', 'tmspace'],
]
const refused: ReadonlySet<string> = new Set([...defining, ...leavingOut, ...covering])

const size = /^\s*\{?\s*\+?\s*[\d.]/
/** Names of colours, so that no words stand where one is expected; formulas are drawn without colours. */
const colour =
  /^\s*(?:\{\s*(?:#?[\da-f]{3,8}|red|green|blue|cyan|magenta|yellow|black|gray|grey|white|brown|lime|olive|orange|pink|purple|teal|violet|(?:dark|light)(?:gray|grey|red|green|blue)|navy|maroon|crimson|gold|royalblue|steelblue|forestgreen|darkorange|tomato)\s*\})/i
/** What has to follow a command. */
const wanted: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['kern', 'mkern', 'hskip', 'mskip', 'above'].map((name) => [name, size])),
  hspace: /^\*?\s*\{?\s*\+?\s*[\d.]/,
  ...Object.fromEntries(['color', 'textcolor', 'colorbox'].map((name) => [name, colour])),
  // The space below a line, if any, and the line of a fraction.
  ...Object.fromEntries(['\\', 'cr', 'newline'].map((name) => [name, /^(?!\s*\*?\s*\[\s*-)/])),
  rule: /^\s*(?:\[[^\]-]*\]\s*)?(?:\{[^{}-]*\}\s*){2}/,
  genfrac: /^(?:\s*\{[^{}-]*\}){3}/,
}

/** Spaces backwards that a formula may have: more would lay one word over another. */
const mostSpacesBack = 8
const spacesBack: ReadonlySet<string> = new Set([
  ...['!', 'negthinspace', 'negmedspace', 'negthickspace'],
])

const commandOrComment = /\\(?:([a-zA-Z@]+)|([\s\S]))|%/g

/**
 * Returns true for TeX of which each word is seen once it is drawn, and that takes as long as it looks: without comments,
 * definitions, commands that hide, cover or leave out what is given to them, and spaces backwards. One pass.
 */
export function showsAll(tex: string): boolean {
  let back = 0
  for (const match of tex.matchAll(commandOrComment)) {
    const name = match[1] ?? match[2]
    // Names with this sign are KaTeX's own.
    if (name === undefined || refused.has(name) || name.includes('@')) return false
    const rest = tex.slice(match.index + match[0].length)
    if (Object.hasOwn(wanted, name) && wanted[name]?.test(rest) === false) return false
    if (spacesBack.has(name) && ++back > mostSpacesBack) return false
  }
  return true
}
