import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createPerson, electronPath, launchSkein } from './support/app'
import { homeWith, partsOf, smallTalk } from './support/scenes'

const root = path.resolve(import.meta.dirname, '../..')

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

  const second = spawn(electronPath(), ['--no-sandbox', root, '--home', home], {
    env: person.env,
    stdio: 'ignore',
  })
  const code = await new Promise((resolve) => second.on('exit', resolve))

  expect(code).toBe(0)
  await expect
    .poll(() => first.app.evaluate(() => (globalThis as unknown as { asked: number }).asked))
    .toBe(1)
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
