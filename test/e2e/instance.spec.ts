import { expect, it } from 'vitest'
import { activeEntries, createPerson, launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'
import { startAgain } from './support/second-start'

it('a second Skein on the same home ends at once, and the first comes to the front', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const first = await launchSkein({ home, person })
  await partsOf(first.page).conversation('garden').waitFor()
  await first.app.evaluate(({ app }) => {
    Object.assign(globalThis, { asked: 0 })
    app.on('second-instance', () => {
      const counter = globalThis as unknown as { asked: number }
      counter.asked += 1
    })
  })

  expect(await startAgain(person, ['--home', home])).toMatchObject({ code: 0 })
  await expect
    .poll(() => first.app.evaluate(() => (globalThis as unknown as { asked: number }).asked))
    .toBe(1)

  // Chromium would end the first for a message that is too long: anybody can make such a link.
  const long = `skein://conversation/${'x'.repeat(40_000)}`
  const refusal = 'The command line is too long.'
  const { words } = await startAgain(person, ['--home', home, long], undefined, refusal)
  expect(words).toContain(refusal)
  await partsOf(first.page).conversation('garden').waitFor()
})

it('opens the place of a skein:// link, at its start and while it runs', async () => {
  const home = homeWith({
    contexts: { garden: smallTalk('garden'), pears: smallTalk('pears', 400) },
  })
  const person = createPerson()
  const entry = (name: string, at: number) => String(activeEntries(home, name)[at]?.id ?? '')
  const link = (name: string, at: number) => `skein://conversation/${name}#${entry(name, at)}`
  const { page, app } = await launchSkein({ home, person, args: [link('pears', 20)] })
  const { transcript } = partsOf(page)
  // Far above the end, where a conversation opens otherwise.
  await transcript.getByText('Question number 20', { exact: true }).waitFor()

  // A link as the system gives it: one more start, which leaves it to the one that runs.
  await startAgain(person, ['--home', home, link('garden', 0)])
  await expect.poll(() => page.title()).toContain('garden')
  await transcript.getByText('Question number 0', { exact: true }).waitFor()

  // One that names nothing says so, and leaves the window as it can be used.
  await app.evaluate(({ app: electron }) => {
    electron.emit('second-instance', {}, ['skein', 'skein://conversation/nowhere#x'], '')
  })
  await page
    .getByText(/no longer|not here|is not there|no conversation/i)
    .first()
    .waitFor()
  await partsOf(page).conversation('pears').click()
  await transcript.getByText('Answer number 399', { exact: true }).waitFor()
})

it('two homes are open side by side', async () => {
  const person = createPerson()
  const homes = ['one', 'two'].map((name) => homeWith({ contexts: { [name]: smallTalk(name) } }))
  const [one, two] = [
    await launchSkein({ person, home: homes[0] ?? '' }),
    await launchSkein({ person, home: homes[1] ?? '' }),
  ]
  await partsOf(one.page).conversation('one').waitFor()
  await partsOf(two.page).conversation('two').waitFor()
  expect([...one.problems, ...two.problems]).toEqual([])
})

it('closing the window ends everything once', async () => {
  const home = homeWith({ contexts: { garden: smallTalk('garden') } })
  const { page, app } = await launchSkein({ home })
  await partsOf(page).conversation('garden').waitFor()
  const process = app.process()
  let words = ''
  process.stderr?.on('data', (bytes: Buffer) => {
    words += bytes.toString()
  })
  await app.evaluate(({ app: electron }) => {
    electron.on('before-quit', ({ defaultPrevented }) => {
      globalThis.process.stderr.write(`asked to end, ${defaultPrevented ? 'not yet' : 'now'}\n`)
    })
  })

  const ended = new Promise((resolve) => process.once('exit', resolve))
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  await ended

  expect(words.match(/^asked to end, .*$/gm)).toEqual([
    'asked to end, not yet',
    'asked to end, now',
  ])
})
