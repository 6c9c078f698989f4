import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const fixtures = path.resolve(import.meta.dirname, '../../fixtures')

/** A root of the fixtures in a folder of the test's own. */
export interface CopiedRoot {
  /** Absolute. */
  readonly folder: string
  /** `--root` for it. */
  readonly args: readonly string[]
  /** No file has other bytes, none is gone and none is new. */
  expectUntouched(): void
}

/** Copies a root of the fixtures, so that nothing that a test does reaches it. */
export function copyRoot(source: string, fixture: string, folder: string): CopiedRoot {
  fs.cpSync(path.join(fixtures, fixture), folder, { recursive: true })
  const state = () =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .filter((name) => fs.statSync(path.join(folder, name)).isFile())
      .map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')])
  const before = state()
  return {
    folder,
    args: ['--root', `${source}=${folder}`],
    expectUntouched: () => expect(state()).toEqual(before),
  }
}
