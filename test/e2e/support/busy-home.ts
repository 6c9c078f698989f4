const models = ['claude-sonnet-4.5', 'claude-opus-4.1', 'gpt-5.1-codex', 'gemini-2.5-pro', 'qwen3:14b', 'glm-4.6', 'kimi-k2'] // biome-ignore format: a list
const tools = ['file_head', 'read_file', 'write_file', 'grep_files', 'update_todos', 'web_fetch']

/** Numbers from 0 to below 1, the same each time. */
function drawn(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/**
 * Contexts of the weeks before a time, with models, usage, tools and failures: lines by name, for `homeWith`.
 *
 * @param until Unix seconds
 */
export function busyContexts(count: number, until: number): Readonly<Record<string, string>> {
  const contexts: Record<string, string> = {}
  for (let n = 0; n < count; n++) {
    const draw = drawn(n + 1)
    const name = `work-${String(n + 1).padStart(2, '0')}`
    const lines: string[] = []
    let id = 0
    let at = until - Math.floor(draw() * draw() * 80 * 86_400) - 3600
    const add = (fields: object) => {
      id += 1
      at += Math.floor(draw() * 90) + 1
      lines.push(
        JSON.stringify({
          id: `${String(n).padStart(8, '0')}-0000-4000-8000-${String(id).padStart(12, '0')}`,
          timestamp: at,
          ...fields,
        }),
      )
    }
    const turns = 1 + Math.floor(draw() * draw() * 24)
    for (let turn = 0; turn < turns; turn++) {
      const model = models[Math.floor(draw() * draw() * models.length)]
      const usage = {
        input: Math.floor(draw() * 40_000),
        cached: Math.floor(draw() * 9000),
        output: Math.floor(draw() * 3000),
        ...(model === 'qwen3:14b' ? {} : { cost: Math.round(draw() * 4000) / 10_000 }),
      }
      const message = { entry_type: 'message', from: 'user', to: name, role: 'user' }
      add({ ...message, content: `Question ${turn} of ${name}` })
      for (let call = 0; call < Math.floor(draw() * 3); call++) {
        const tool = tools[Math.floor(draw() * draw() * tools.length)] ?? 'grep_files'
        const common = { tool_call_id: `call_${n}_${turn}_${call}` }
        add({ ...common, entry_type: 'tool_call', from: name, to: tool, content: '{"path":"notes.md"}', metadata: { model } }) // biome-ignore format: a line
        const content = draw() < 0.12 ? 'Error: no such file' : `Line of ${tool}`
        add({ ...common, entry_type: 'tool_result', from: tool, to: name, content })
      }
      add({
        entry_type: 'message',
        from: name,
        to: 'user',
        role: 'agent',
        content: `Answer ${turn}`,
        metadata: { model, usage },
      })
    }
    contexts[name] = `${lines.join('\n')}\n`
  }
  return contexts
}
