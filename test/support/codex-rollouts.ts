/** Ids of threads. */
export const threadIds = [
  '019cd6a1-5b1e-7c32-9a44-0d6f3b8e2a10',
  '019cd6b7-22c4-7f10-8e01-55aa90c1d2e3',
  '019cd6c8-7a90-7b44-a1b2-66bb91d2e3f4',
] as const

const timestamp = '2026-09-10T09:00:00.000Z'

/** The file of a thread. */
export function rolloutOf(id: string): string {
  return `sessions/2026/09/10/rollout-2026-09-10T11-00-00-${id}.jsonl`
}

/** Lines as a file has them. */
export function jsonLines(...lines: readonly (string | object)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
}

/** The first line of a thread's file. */
export function head(id: string, more: object = {}) {
  const payload = { id, timestamp, cwd: '/home/mira/orchard', cli_version: '0.154.0', ...more }
  return { timestamp, type: 'session_meta', payload }
}

/** An item that went to the model, or came from it. */
export function item(payload: object) {
  return { timestamp, type: 'response_item', payload }
}

export function message(role: string, text: string) {
  return item({ type: 'message', role, content: [{ type: 'input_text', text }] })
}

export function answer(text: string) {
  return item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
}

export function event(payload: object) {
  return { timestamp, type: 'event_msg', payload }
}

/** The beginning of a turn. */
export function turn(model: string) {
  return { timestamp, type: 'turn_context', payload: { model, cwd: '/home/mira/orchard' } }
}

/** A count of tokens: `total` of the thread's input, `last` of the answer's. */
export function tokens(total: number, last: number) {
  const usage = (input_tokens: number) => ({
    input_tokens,
    cached_input_tokens: 1,
    output_tokens: 2,
    reasoning_output_tokens: 0,
  })
  return event({
    type: 'token_count',
    info: { total_token_usage: usage(total), last_token_usage: usage(last) },
  })
}
