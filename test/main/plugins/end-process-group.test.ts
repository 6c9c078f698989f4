import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isGroupRunning } from '../../../src/main/disk/process/process-group'
import { endGroup } from '../../../src/main/plugins/end-process-group'

/** Runs lines of sh in a group of its own; they are ended with the test. Gives what they say first, as a number. */
async function start(lines: string): Promise<{ child: ChildProcess; pid: number; said: number }> {
  const child = spawn('/bin/sh', ['-c', lines], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { pid } = child
  if (pid === undefined || child.stdout === null) throw new Error('sh was not started')
  onTestFinished(() => {
    if (isGroupRunning(pid)) process.kill(-pid, 'SIGKILL')
  })
  const [said] = await once(child.stdout, 'data')
  return { child, pid, said: Number(said) }
}

const stateOf = (pid: number) => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]
/** Nobody waits for so long. */
const longMs = 10_000_000

describe('a group of processes', () => {
  it('runs until its last one has ended', async () => {
    const { child, pid, said } = await start('sleep 3000 & echo $!; wait')
    expect(isGroupRunning(pid)).toBe(true)
    process.kill(pid, 'SIGKILL')
    await once(child, 'exit')
    expect(isGroupRunning(pid)).toBe(true)
    await endGroup(pid, longMs)
    expect(isGroupRunning(pid)).toBe(false)
    expect(isGroupRunning(said)).toBe(false)
  })

  it.runIf(process.platform === 'linux')(
    'has ended also where nobody asked for the end of its processes, and is not waited for',
    async () => {
      // What starts it becomes another program, which does not know that it has a child.
      const { said } = await start('setsid sh -c "echo \\$\\$" & exec sleep 3000')
      await expect.poll(() => stateOf(said)).toBe('Z')
      expect(process.kill(-said, 0)).toBe(true)
      expect(isGroupRunning(said)).toBe(false)
      await endGroup(said, longMs)
    },
  )
})
