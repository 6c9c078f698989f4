import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const page = read('docs/security.md')

/** The rows of the tables below a heading, as cells. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, text = ''] = page.split(`\n## ${heading}\n`)
  return (text.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| |'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}

/** What a cell has in backquotes. */
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

const isTest = (file: string) => /\.(test|spec)\.ts$/.test(file)

describe('each line of Electron’s list', () => {
  const rows = rowsBelow('Electron’s list'.replace('’', "'"))

  it('is on the page once, in order', () => {
    expect(rows.map(([number]) => Number(number))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    )
  })

  it.each(rows.map((cells) => [cells[1], cells] as const))(
    'has code and a test that are there: %s',
    (_, [, , does = '', code = '', tests = '']) => {
      expect(does.length).toBeGreaterThan(3)
      expect(namesIn(code).length).toBeGreaterThan(0)
      expect(namesIn(tests).length).toBeGreaterThan(0)
      expect(namesIn(tests).filter((file) => !isTest(file))).toEqual([])
      const named = [...namesIn(code), ...namesIn(tests)]
      expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
    },
  )
})

it('each attack by files has a test that is there', () => {
  const rows = rowsBelow('Files that come from elsewhere').filter(([attack]) => attack !== 'attack')
  expect(rows.length).toBeGreaterThan(5)
  for (const [attack, , tests = ''] of rows) {
    const files = namesIn(tests)
    expect([attack, files.length > 0]).toEqual([attack, true])
    expect(files.filter((file) => !isTest(file) || !fs.existsSync(path.join(root, file)))).toEqual(
      [],
    )
  }
})

const sources = fs
  .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|html)$/.test(file))
  .map((file) => [path.join('src', file), read(path.join('src', file))] as const)

/** The switches of Chromium that the program sets, all of them. */
const switches = ['host-resolver-rules', 'force-webrtc-ip-handling-policy']

it('no source turns a feature of Chromium on, or a protection off', () => {
  const weakened =
    /enableBlinkFeatures|experimentalFeatures|allowRunningInsecureContent|webSecurity|nodeIntegration: true|allowpopups|bypassCSP|registerFileProtocol/
  expect(sources.filter(([, text]) => weakened.test(text)).map(([file]) => file)).toEqual([])
  const set = sources.flatMap(([, text]) =>
    [...text.matchAll(/appendSwitch\(\s*'([^']+)'/g)].map(([, name]) => name),
  )
  expect(set).toEqual(switches)
  expect(sources.flatMap(([, text]) => [...text.matchAll(/appendSwitch\(/g)])).toHaveLength(
    set.length,
  )
})

it('no part of the page makes HTML, a script or a style of a text', () => {
  const sinks =
    /\.(inner|outer)HTML\b|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|createContextualFragment|new Function\(|\beval\(|setAttribute\('style'|createElement\('(style|script)'|<style|srcdoc/i
  const found = sources.filter(([file]) => !file.startsWith('src/main/exporters'))
  expect(found.filter(([, text]) => sinks.test(text)).map(([file]) => file)).toEqual([])
})

it('the preload exposes one thing, and takes nothing of Electron but the bridge, the renderer’s messages and paths of files', () => {
  const text = read('src/preload/index.ts')
  expect([...text.matchAll(/exposeInMainWorld\('(\w+)'/g)].map(([, name]) => name)).toEqual(['api'])
  expect(/import electron, \{([^}]*)\} from 'electron'/.exec(text)?.[1]?.trim()).toBe(
    'contextBridge, ipcRenderer',
  )
  expect([...text.matchAll(/ipcRenderer\.(\w+)/g)].map(([, name]) => name)).toEqual([
    'invoke',
    'on',
    'off',
  ])
})

it('the Electron of a package is one exact version, in package.json and in the lock file', () => {
  const { electron } = JSON.parse(read('package.json')).devDependencies
  expect(electron).toMatch(/^\d+\.\d+\.\d+$/)
  expect(JSON.parse(read('package-lock.json')).packages['node_modules/electron'].version).toBe(
    electron,
  )
})

it.each(['darwin', 'win32', 'linux'])(
  'the page names each fuse of Electron as a package for %s sets it',
  (platform) => {
    const rows = rowsBelow('Fuses').filter(([name]) => name !== 'fuse')
    const wanted = rows.map(([name = '', value = '']) => {
      const [usual, onLinux = usual] = namesIn(value)
      return [namesIn(name)[0] ?? '', (platform === 'linux' ? onLinux : usual) === 'true'] as const
    })
    const electron = JSON.parse(read('package-lock.json')).packages['node_modules/electron'].version
    const { fusesOf } = createRequire(import.meta.url)(path.join(root, 'packaging/fuses.cjs'))

    expect(fusesOf(platform, Number.parseInt(electron, 10))).toEqual(Object.fromEntries(wanted))
    expect(wanted).toHaveLength(8)
  },
)
