import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { windowRoots } from '../../../src/main/compose/window-roots'

const at = path.resolve('/somewhere')

function rootsFor(roots: readonly string[], isHomeGiven = false, sample = false) {
  const noted: string[] = []
  const found = windowRoots({ roots, isHomeGiven }, sample, at, (words) => noted.push(words))
  return { found, noted }
}

it('reads where each system leaves its histories when nothing is named', () => {
  const { found, noted } = rootsFor([])
  expect(found).toContainEqual({ source: 'cycod', path: path.join(os.homedir(), '.cycod') })
  expect(found.map(({ source }) => source)).not.toContain('chibi')
  expect(noted).toEqual([])
})

it('reads nothing else beside a named home, or beside the sample library', () => {
  expect(rootsFor([], true).found).toEqual([])
  expect(rootsFor([], false, true).found).toEqual([])
})

it.each([
  [false, false],
  [true, false],
  [false, true],
])('reads only the roots that are named (home named: %s, sample: %s)', (home, sample) => {
  expect(rootsFor(['cycod=histories'], home, sample)).toEqual({
    found: [{ source: 'cycod', path: path.join(at, 'histories') }],
    noted: [],
  })
})

it('leaves out what it cannot use, and says why', () => {
  const { found, noted } = rootsFor(['nobody=/a', 'cycod', 'chibi=/home', 'cycod=/b'])
  expect(found).toEqual([{ source: 'cycod', path: path.resolve('/b') }])
  expect(noted).toHaveLength(3)
})
