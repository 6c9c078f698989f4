import { expect, it, onTestFinished } from 'vitest'
import { startBusy } from '../../scripts/test/busy.mjs'
import { isAlive } from '../main/plugins/plugin-home'
import { type Script, scripts, startScript } from './support/script'

/** A script with two busy processes, which it names; it goes on until it is ended. */
async function startWithBusy(): Promise<{ readonly script: Script; readonly pids: number[] }> {
  const script = startScript(`
    import { runScript } from '${scripts}/setup/words.mjs'
    import { startBusy } from '${scripts}/test/busy.mjs'
    await runScript(async () => {
      console.log(JSON.stringify(startBusy(2).pids))
      await new Promise((resolve) => setTimeout(resolve, 1e9))
    })
  `)
  const pids = JSON.parse(await script.firstLine)
  return { script, pids }
}

it('keeps as many processes busy as were asked for, until they are ended', async () => {
  const busy = startBusy(2)
  onTestFinished(busy.end)
  expect(busy.pids.map(isAlive)).toEqual([true, true])

  busy.end()

  await expect.poll(() => busy.pids.map(isAlive)).toEqual([false, false])
})

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'leaves no busy process behind when its script is ended by %s',
  async (signal) => {
    const { script, pids } = await startWithBusy()
    expect(pids.map(isAlive)).toEqual([true, true])

    script.child.kill(signal)
    await script.ended

    await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
  },
)
