import fs from 'node:fs'
import path from 'node:path'

/** Writes a session of Claude Code below a root: a record a line. */
export function writeClaudeSession(root: string, file: string, records: readonly object[]): string {
  const whole = path.join(root, file)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  fs.writeFileSync(whole, records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return whole
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Makers of the records of a session, by number and the number of the one before. */
export function claudeRecords(session: string) {
  const place = (n: number, parent: number | null) => ({
    uuid: uuid(n),
    parentUuid: parent === null ? null : uuid(parent),
    sessionId: session,
    timestamp: `2026-09-10T09:00:${String(n % 60).padStart(2, '0')}.000Z`,
  })
  return {
    user: (n: number, parent: number | null, content: unknown) => ({
      ...place(n, parent),
      type: 'user',
      message: { role: 'user', content },
    }),
    call: (n: number, parent: number, name: string, id: string, input: object = {}) => ({
      ...place(n, parent),
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    }),
    result: (n: number, parent: number, id: string, content: unknown, more: object = {}) => ({
      ...place(n, parent),
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
      ...more,
    }),
    /** What Claude Code leaves in the place of an output that it saved. */
    stub: (name: string) =>
      `<persisted-output>\nOutput too large (61.2KB). Full output saved to: /home/ann/.claude/projects/-a/${session}/tool-results/${name}\n\nPreview (first 2KB):\npear 1\n...\n</persisted-output>`,
  }
}
