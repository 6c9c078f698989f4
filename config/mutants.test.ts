import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutants } from '../scripts/mutants/list.mjs'
import { mutantPlugins, mutated } from '../scripts/mutants/plugin.mjs'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

describe('the mutants', () => {
  it('stand for a place each that is in its file exactly once, and for tests that are there', () => {
    for (const mutant of mutants) {
      expect(mutated(read(mutant.file), mutant)).not.toBe(read(mutant.file))
      for (const test of mutant.tests)
        expect([test, fs.existsSync(path.join(root, test))]).toEqual([test, true])
    }
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it('are put into the file that they name alone, and one whose place is gone is an error', () => {
    const [mutant] = mutants
    if (mutant === undefined) throw new Error('no mutant')
    const [plugin] = mutantPlugins(mutant.name)
    const code = read(mutant.file)
    expect(plugin?.transform(code, path.join(root, mutant.file))).toBe(mutated(code, mutant))
    expect(plugin?.transform(code, path.join(root, 'src/other.ts'))).toBeUndefined()
    expect(() => mutated('', mutant)).toThrow('its text is 0 times')
    expect(mutantPlugins(undefined)).toEqual([])
  })

  it('have the score of the last run in docs/testing.md', () => {
    const score = /<!-- mutants -->\n(\d+) of (\d+) mutants are noticed\./.exec(
      read('docs/testing.md'),
    )
    const explained = mutants.filter((mutant) => mutant.explained !== undefined)
    expect(score?.slice(1).map(Number)).toEqual([mutants.length - explained.length, mutants.length])
  })
})
