import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { saveInNewFolders } from '../../../../src/main/home/export/save-export'
import { bundled } from '../../../support/bundled'
import { faultyDisk } from '../../../support/faulty-disk'
import { tempFolders } from '../../../support/temp-folder'
import type { KilledSaveArguments } from './save-killed-worker'

const temp = tempFolders()
const worker = bundled('test/main/home/export/save-killed-worker.ts')
const none = { roots: [], files: [] }

async function* pieces(...texts: readonly string[]) {
  yield* texts
}

it('a session is whole or not there, wherever the process that writes it is killed', () => {
  const whole = `${'one'.repeat(2000)}\n${'two'.repeat(2000)}\n`
  let kills = 0
  for (let at = 1; ; at++) {
    const folder = path.join(temp(), 'sessions/new')
    const file = path.join(folder, 'session.jsonl')
    const args: KilledSaveArguments = [file, 'one\ntwo', String(at)]
    const { status, signal } = spawnSync(process.execPath, [worker(), ...args])
    const isThere = fs.existsSync(file)
    if (isThere) expect(fs.readFileSync(file, 'utf8')).toBe(whole)
    // Programs take files by their ending: none of half a session has it.
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    expect(names.filter((name) => name.endsWith('.jsonl'))).toEqual(
      isThere ? ['session.jsonl'] : [],
    )
    if (signal === null) {
      expect([status, isThere]).toEqual([0, true])
      break
    }
    kills += 1
  }
  expect(kills).toBeGreaterThan(3)
})

it('a full disk is said, at whatever call it is, and nothing is left', async () => {
  let refused = 0
  for (let at = 1; ; at++) {
    const folder = temp()
    const file = path.join(folder, 'session.jsonl')
    const disk = faultyDisk(nodeDisk, { at, fault: 'no-space' })
    const failure = await saveInNewFolders(disk, file, pieces('one\n', 'two\n'), none).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure === undefined && disk.calls() < at) break
    if (failure === undefined) continue
    refused += 1
    expect(failure).toMatchObject({ code: 'disk-full' })
    expect((failure as Error).message).toContain('the disk is full')
    const left = fs.readdirSync(folder)
    // Where it failed behind the last step, the file is there and whole.
    if (left.length > 0) {
      expect(left).toEqual(['session.jsonl'])
      expect(fs.readFileSync(file, 'utf8')).toBe('one\ntwo\n')
    }
  }
  expect(refused).toBeGreaterThan(2)
})

it('a file that is there stays as it is', async () => {
  const file = path.join(temp(), 'session.jsonl')
  fs.writeFileSync(file, 'theirs')
  await expect(saveInNewFolders(nodeDisk, file, pieces('ours'), none)).rejects.toThrow(
    'exists already',
  )
  expect(fs.readFileSync(file, 'utf8')).toBe('theirs')
})
