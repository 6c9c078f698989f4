import { expect, it } from 'vitest'
import { confinement, launchAsOrdinaryUser } from './support/ordinary-user'

it.runIf(process.platform === 'linux')(
  'an ordinary user gets a window whose renderer is locked in the sandbox',
  async () => {
    const { app, page, problems } = await launchAsOrdinaryUser(['--sample'])
    await page.getByRole('listbox', { name: 'Conversations' }).getByRole('option').first().waitFor()

    const pids = await app.evaluate(({ BrowserWindow }) => ({
      main: process.pid,
      renderer: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
    }))
    const main = confinement(pids.main)
    const renderer = confinement(pids.renderer)

    expect(main.user).not.toBe(0)
    expect(renderer.user).toBe(main.user)
    expect(renderer.filtersSystemCalls).toBe(true)
    expect(renderer.canGainPrivileges).toBe(false)
    expect(renderer.namespaces.pid).not.toBe(main.namespaces.pid)
    expect(renderer.namespaces.net).not.toBe(main.namespaces.net)
    await expect
      .poll(() => page.evaluate(() => 'require' in globalThis || 'process' in globalThis))
      .toBe(false)
    expect(problems).toEqual([])
  },
)
