import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const page = fs.readFileSync(path.join(root, 'docs/seeds.md'), 'utf8')

interface Row {
  readonly statement: string
  readonly state: string
  readonly where: string
  readonly test: string
}

const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| line '))
  .map((line) => {
    // What stands between bars, but for bars that are written with a backslash.
    const [, , statement = '', state = '', where = '', test = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
    return { statement, state, where, test }
  })
const fileIn = (cell: string) => /^`([^`]+)`$/.exec(cell)?.[1]

it('each file that docs/seeds.md names is there', () => {
  const named = rows.flatMap(({ where, test }) => [
    ...(where === '' ? [] : [path.join('src', fileIn(where) ?? `no path: ${where}`)]),
    ...(test === '' ? [] : [path.join('test', fileIn(test) ?? `no path: ${test}`)]),
  ])
  expect(named.length).toBeGreaterThan(400)
  expect([...new Set(named)].filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
})

it('each statement holds by a test, or is different for a reason, or is open', () => {
  const faults = rows.filter(({ state, where, test }) => {
    if (/^holds(: .+)?$/.test(state)) return where === '' || test === ''
    return !/^different: .+/.test(state) && !/^open: .+/.test(state)
  })
  expect(faults).toEqual([])
})

it('the numbers at the head of docs/seeds.md are those of its rows', () => {
  const count = (word: string) => rows.filter(({ state }) => state.startsWith(word)).length
  expect(page).toContain(
    `${rows.length} statements: ${count('holds')} hold, ${count('different')} are different on purpose, ${count('open')} are open.`,
  )
})
