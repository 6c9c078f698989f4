import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

/** The part of a page below a heading. */
function partOf(page: string, heading: string): string {
  const [, part = ''] = read(page).split(`\n## ${heading}\n`)
  return part.split('\n## ')[0] ?? ''
}

const rowsOf = (heading: string) =>
  [...partOf('docs/promises.md', heading).matchAll(/^\| (?!promise |-)(.+?) \| (.+) \|$/gm)].map(
    ([, promise = '', tests = '']) => ({
      promise,
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, test = '']) => test),
    }),
  )

describe('docs/promises.md', () => {
  it.each([
    ['SECURITY.md', 'What Skein promises', 'SECURITY.md'],
    ['docs/architecture.md', 'What always holds', 'What always holds'],
  ])('has a row for each promise of %s', (page, heading, table) => {
    const bold = [...partOf(page, heading).matchAll(/^- \*\*([^*]+)\*\*/gm)]
    const promised = bold.map(([, words]) => words)
    expect(promised.length).toBeGreaterThan(5)
    expect(rowsOf(table).map(({ promise }) => promise)).toEqual(promised)
  })

  it('names tests that are there, for each promise', () => {
    const rows = ['README.md', 'SECURITY.md', 'What always holds'].flatMap(rowsOf)
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([])
    const isThere = (test: string) =>
      test.endsWith('.ts')
        ? fs.existsSync(path.join(root, test))
        : ['.test.ts', '.test.tsx', '.spec.ts'].some((end) =>
            fs.existsSync(path.join(root, 'test', test + end)),
          )
    expect(rows.flatMap(({ tests }) => tests).filter((test) => !isThere(test))).toEqual([])
  })
})
