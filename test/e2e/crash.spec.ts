import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { activeEntries, createPerson, launchSkein } from './support/app'
import { beginStream, endpoint, sendText } from './support/endpoint'
import { homeWith, partsOf, say, smallTalk } from './support/scenes'

it('has everything durable, and the part of the answer as an interrupted entry, after kill -9', async () => {
  const baseUrl = await endpoint((response) => {
    beginStream(response)
    sendText(response, 'This part had come before the end')
  })
  const home = homeWith({ baseUrl, contexts: { garden: smallTalk('garden') } })
  const person = createPerson()
  const first = await launchSkein({ home, person })
  const parts = partsOf(first.page)
  await parts.conversation('garden').click()
  await say(first.page, 'Tell me')
  await parts.transcript.getByText('This part had come').waitFor()
  const partial = path.join(home, 'contexts', 'garden', 'partial.skein.jsonl')
  await expect
    .poll(() => (fs.existsSync(partial) ? fs.readFileSync(partial, 'utf8') : ''))
    .toContain('This part had come before the end')
  const dead = new Promise((resolve) => first.app.process().once('exit', resolve))
  first.app.process().kill('SIGKILL')
  await dead

  const before = activeEntries(home, 'garden').map(({ content }) => content)
  expect(before).toEqual(['Question number 0', 'Answer number 1', 'Tell me'])

  const second = await launchSkein({ home, person })
  const again = partsOf(second.page)
  await again.conversation('garden').click()
  await again.transcript.getByText('This part had come before the end').waitFor()

  expect(activeEntries(home, 'garden').map(({ content }) => content)).toEqual([
    ...before,
    'This part had come before the end',
  ])
  expect(activeEntries(home, 'garden').at(-1)).toMatchObject({
    metadata: { interrupted: 'crashed' },
  })
  // The lock of the dead process keeps nobody out.
  await again.message.fill('still here')
  await expect.poll(() => again.send.isEnabled()).toBe(true)
  expect(second.problems).toEqual([])
})
