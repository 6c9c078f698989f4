import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseInSlices } from '../../../../src/main/disk/json/json-parse'
import { jsonBytes } from '../../../../src/main/disk/json/json-write'
import { readJson } from '../../../../src/main/disk/json/read-json'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { runAtOnce, sliceBytes } from '../../../../src/main/disk/pacing/slices'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
/** More values than a record of a transcript may have. */
const many = {
  version: 1,
  list: Array.from({ length: 150_000 }, (_, n) => ({ n, is: null, key: 'ü' })),
}

it('a file of one JSON value is read whole, of however many values', async () => {
  const file = path.join(temp(), 'file.json')
  expect(await readJson(nodeDisk, file)).toBeUndefined()
  for (const value of [many, [], 'text']) {
    fs.writeFileSync(file, `\ufeff${JSON.stringify(value)}\n`)
    expect(await readJson(nodeDisk, file)).toEqual({ value })
  }
  for (const text of ['', '{"a":1', '[]x']) {
    fs.writeFileSync(file, text)
    expect(await readJson(nodeDisk, file)).toBe('damaged')
  }
  await expect(readJson(nodeDisk, file, 2)).rejects.toMatchObject({ code: 'too-large' })
})

it('a long one is read and written in slices', () => {
  const text = JSON.stringify(many)
  const runs: number[] = []
  for (const bytes of parseInSlices(Buffer.from(text), Number.POSITIVE_INFINITY)) runs.push(bytes)
  for (const bytes of jsonBytes(many)) runs.push(bytes)
  expect(Math.max(...runs)).toBeLessThan(2 * sliceBytes)
  expect(runs.length).toBeGreaterThan((2 * text.length) / (2 * sliceBytes))
  expect(runAtOnce(jsonBytes(many)).toString()).toBe(text)
})
