import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { chatRules } from '../../../support/strict-chat'

/** A server with a script for the message "Do it, N.", which refuses what breaks OpenAI's rules. */
export interface ScriptedServer {
  /** With `/v1`. */
  readonly url: string
  /** What was refused, in words. */
  readonly refusals: readonly string[]
  close(): Promise<void>
}

interface Asked {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: unknown
}

/** Two rounds of tools with words beside the first, then an answer in several pieces; the ids are the same each time. */
export async function startScripted(): Promise<ScriptedServer> {
  const refusals: string[] = []
  const server = await rawServer((response, { body }) => {
    const request = JSON.parse(body)
    const faults = chatRules(request)
    if (faults.length > 0) {
      refusals.push(...faults)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: faults.join('; '), type: 'invalid_request' } }),
      )
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(eventStream(...answerTo(request.messages), '[DONE]'))
  })
  return {
    url: server.url,
    refusals,
    close: server.close,
  }
}

function answerTo(messages: readonly Asked[]): readonly object[] {
  const from = messages.findLastIndex(({ role }) => role === 'user')
  const number = /Do it, (\d+)\./.exec(lastPart(messages[from]?.content))?.[1] ?? '0'
  const rounds = messages.slice(from).filter((message) => message.tool_calls !== undefined).length
  switch (rounds) {
    case 0:
      return [
        chunk({ reasoning_content: 'What is to be done?' }),
        chunk({ content: 'First ' }),
        chunk({ content: 'the plan.' }),
        ...calls(
          ['update_todos', { content: `- [ ] beds ${number}` }],
          ['write_file', { path: 'plan.md', content: `Water the beds, ${number}.\n` }],
          ['send_message', { to: 'shed', content: `Rain ${number}.` }],
        ),
      ]
    case 1:
      return calls(
        ['file_head', { path: 'plan.md' }],
        ['update_goals', { content: `A garden ${number}` }],
      )
    default:
      return [
        chunk({ content: 'All ' }),
        chunk({ content: 'is ' }),
        chunk({ content: 'done.' }),
        chunk({}, 'stop'),
      ]
  }
}

/** Calls in two pieces each, and the end of the answer. */
function calls(...asked: readonly (readonly [name: string, args: object])[]): readonly object[] {
  const pieces = asked.flatMap(([name, args], index) => {
    const text = JSON.stringify(args)
    const piece = (more: object) => chunk({ tool_calls: [{ index, ...more }] })
    return [
      piece({
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: text.slice(0, 5) },
      }),
      piece({ function: { arguments: text.slice(5) } }),
    ]
  })
  return [...pieces, chunk({}, 'tool_calls')]
}

/** What was said before and not answered stands before it, in the same message. */
function lastPart(content: unknown): string {
  return String(content).split('\n\n').at(-1) ?? ''
}
