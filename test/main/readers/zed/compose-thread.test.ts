import { expect, it } from 'vitest'
import { composeThread } from '../../../../src/main/readers/zed/compose-thread'

const thread = JSON.stringify({ title: 'a', messages: [{ id: 0, role: 'user', text: 'hi' }] })

async function linesOf(text: string) {
  const { bytes } = await composeThread('{}', Buffer.from(text))
  return bytes.toString('utf8').trimEnd().split('\n')
}

it('what stands behind a thread has a line of its own, but for white space', async () => {
  const whole = await linesOf(thread)
  expect(whole.map((line) => JSON.parse(line).record)).toEqual(['thread', 'message'])
  expect(await linesOf(`${thread} \n`)).toEqual(whole)
  for (const behind of ['\0\0\0', '}']) {
    const lines = await linesOf(`${thread}${behind}`)
    expect(lines.slice(0, -1)).toEqual(whole)
    expect(lines.at(-1)).toContain(behind)
    expect(() => JSON.parse(lines.at(-1) ?? '')).toThrow()
  }
})
