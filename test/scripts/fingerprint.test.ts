import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fingerprint, readStamp, writeStamp } from '../../scripts/setup/fingerprint.mjs'
import { tempFolder } from './support/temp-folder'

function makeSources(): string {
  const folder = tempFolder()
  fs.mkdirSync(path.join(folder, 'src', 'deep'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'src', 'one.ts'), 'one')
  fs.writeFileSync(path.join(folder, 'src', 'deep', 'two.ts'), 'two')
  fs.writeFileSync(path.join(folder, 'package.json'), '{}')
  return folder
}

const paths = ['src', 'package.json']

describe('the fingerprint of the sources', () => {
  it('stays the same while nothing changes', () => {
    const folder = makeSources()
    expect(fingerprint(paths, folder)).toBe(fingerprint([...paths].reverse(), folder))
  })

  it.each([
    [
      'a file in a folder is written',
      (folder: string) => fs.appendFileSync(path.join(folder, 'src', 'deep', 'two.ts'), '!'),
    ],
    [
      'a file is touched',
      (folder: string) => fs.utimesSync(path.join(folder, 'package.json'), 1, 1),
    ],
    [
      'a file is added',
      (folder: string) => fs.writeFileSync(path.join(folder, 'src', 'three.ts'), ''),
    ],
    ['a file is removed', (folder: string) => fs.rmSync(path.join(folder, 'src', 'one.ts'))],
    [
      'a file is renamed',
      (folder: string) =>
        fs.renameSync(path.join(folder, 'src', 'one.ts'), path.join(folder, 'src', 'uno.ts')),
    ],
    ['a whole path goes', (folder: string) => fs.rmSync(path.join(folder, 'package.json'))],
  ])('changes when %s', (_what, change) => {
    const folder = makeSources()
    const before = fingerprint(paths, folder)
    change(folder)
    expect(fingerprint(paths, folder)).not.toBe(before)
  })
})

describe('a stamp', () => {
  it('is read as it was written, and makes its folder', () => {
    const file = path.join(tempFolder(), 'out', '.stamp')
    writeStamp(file, 'first')
    writeStamp(file, 'second')
    expect(readStamp(file)).toBe('second')
    expect(fs.readdirSync(path.dirname(file))).toEqual(['.stamp'])
  })

  it('is undefined where there is none', () => {
    expect(readStamp(path.join(tempFolder(), 'none'))).toBeUndefined()
  })
})
