import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

/** Every page of the project, relative to its root. */
const pages = [
  ...fs.readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['.github', 'docs'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name)),
  ),
]

/** Where the links and pictures of a page lead, outside of code. */
function linksOf(page: string): readonly string[] {
  const text = read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
}

/** The anchors that headings have on the web: words in small letters, joined by hyphens. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it('each link of each page leads to a file and a heading that are there', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? page : path.join(path.dirname(page), file)
        if (!fs.existsSync(path.join(root, target))) return true
        return anchor !== undefined && !anchorsOf(target).includes(anchor)
      })
      .map((link) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(50)
})

it('the index lists each decision once, with its own title', () => {
  const folder = path.join(root, 'docs/decisions')
  const decisions = fs.readdirSync(folder).filter((name) => /^\d{4}-/.test(name))
  const rows = read('docs/decisions/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
  expect(rows.map((row) => /\(([^)]+)\)/.exec(row)?.[1])).toEqual(decisions.sort())
  for (const [at, name] of decisions.entries()) {
    const [first = ''] = read(path.join('docs/decisions', name)).split('\n')
    const title = first.replace(/^#\s*\d+[.:]\s*/, '')
    expect(rows[at]?.toLowerCase(), name).toContain(`| ${title.toLowerCase()} |`)
  }
})

it('a version of Node that is named for tools is one that Skein runs on', () => {
  const [least] = /\d+/.exec(JSON.parse(read('package.json')).engines.node) ?? []
  expect(Number(read('.nvmrc'))).toBeGreaterThanOrEqual(Number(least))
})

it('the glossary has each term once, each with the words that are not used for it', () => {
  const rows = read('docs/glossary.md')
    .split('\n')
    .filter((line) => /^\| (?!term |-)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const terms = rows.flatMap(([, terms = '']) => terms.split(', '))
  expect(terms.length).toBeGreaterThan(60)
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
  expect(rows.filter((cells) => cells.length !== 5 || cells[3] === '')).toEqual([])
})

/** Places in the code that a page names in backquotes or shows in a command; forms such as `x.ts` and names of steps to come are none. */
function pathsIn(page: string): readonly string[] {
  return [...read(page).matchAll(/(?<![\w./<-])(?:src|test|config|scripts|docs)\/[\w./-]+/g)].map(
    ([found]) => found.replace(/[./]+$/, ''),
  )
}

/** Files of the examples in the pages that say how something is added. */
const examples = /\/(?:x|orphans|org)(?:\.test)?\.ts$|NNNN/

it('each place in the code that a page names is there', () => {
  const current = pages.filter((page) => page !== 'CHANGELOG.md')
  const absent = current.flatMap((page) =>
    pathsIn(page)
      .filter((named) => !examples.test(named) && !fs.existsSync(path.join(root, named)))
      .map((named) => `${page}: ${named}`),
  )
  expect(absent).toEqual([])
  expect(current.flatMap(pathsIn).length).toBeGreaterThan(150)
})

it('docs/testing.md says what each test file is about that mirrors no module', () => {
  const files = fs.readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const others = files
    .map((file) => /^((?:cli|main|renderer|shared)\/.*)\.test\.tsx?$/.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .filter((name) => !['ts', 'tsx'].some((end) => fs.existsSync(`${root}/src/${name}.${end}`)))
  const [, map = ''] = read('docs/testing.md').split('\n## Which file tests what\n')
  const named = [...map.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name)
  expect(others.length).toBeGreaterThan(100)
  expect(others.filter((name) => !named.includes(name))).toEqual([])
  const ends = ['', '.test.ts', '.test.tsx']
  const isThere = (name: string) => ends.some((end) => fs.existsSync(`${root}/test/${name}${end}`))
  expect(named.filter((name) => !isThere(name))).toEqual([])
})

it('no exported name has a word that the glossary rules out', () => {
  const [, list = ''] = read('docs/glossary.md').split('\n## Words that no exported name has\n')
  const ruledOut = new Set([...list.matchAll(/`(\w+)`/g)].map(([, word = '']) => word))
  expect(ruledOut.size).toBeGreaterThan(10)
  const sources = fs
    .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
  const names = sources.flatMap((file) =>
    [
      ...read(path.join('src', file)).matchAll(
        /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm,
      ),
    ].map(([, name = '']) => name),
  )
  expect(names.length).toBeGreaterThan(2000)
  const wordsOf = (name: string) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  const isRuledOut = (name: string) =>
    wordsOf(name).some((word) => ruledOut.has(word.toLowerCase()))
  expect(names.filter(isRuledOut)).toEqual([])
  expect(isRuledOut('openDesk')).toBe(true)
})
