import { describe, expect, it } from 'vitest'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { preparedHome } from '../llm/support/prepared-run'
import { asks, call, chibiFaults, content, finish } from '../llm/support/tool-support'
import { noPython, pluginHomes, python, shell, tool } from './plugin-home'

const pluginHome = pluginHomes()
const temp = tempFolders(memoryFolder)

/** A home with a context in which runs are played, and its plugins. */
function played() {
  const prepared = preparedHome(temp())
  const { plugins, write, trust } = pluginHome({}, prepared.home)
  const deps = { hooks: plugins.hooks, moreTools: () => plugins.tools() }
  return { ...prepared, write, trust, deps, plugins }
}

describe('a run with plugins', () => {
  it.skipIf(noPython !== undefined)(
    'is told of their tools, calls them, and is bent by their hooks',
    async () => {
      const { write, trust, play, deps, entriesOf } = played()
      write(
        'weather',
        python(
          tool('weather', { hooks: ['pre_message', 'pre_tool', 'pre_tool_output'] }),
          `
hook = os.environ.get("CHIBI_HOOK")
data = json.load(sys.stdin)
if hook == "pre_message": print(json.dumps({"prompt": data["prompt"] + " (in Bern)"}))
elif hook == "pre_tool": print(json.dumps({"arguments": {"town": "Bern"}}))
elif hook == "pre_tool_output": print(json.dumps({"output": data["output"] + "!"}))
else: print("rain in " + data["town"], end="")
`,
        ),
      )
      await trust('weather')
      const { requests, isWhole } = await play(
        [asks(call('c1', 'weather', '{"town":"Rome"}')), [content('Take an umbrella.'), finish()]],
        { text: 'Weather?', deps },
      )
      expect(isWhole).toBe(true)
      expect(requests[0]?.tools?.map(({ name }) => name)).toContain('weather')
      expect(requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'Weather? (in Bern)' })
      const entries = await entriesOf()
      expect(entries.map(({ entry_type: type, content: words }) => [type, words])).toContainEqual([
        'tool_result',
        'rain in Bern!',
      ])
      expect(chibiFaults(entries)).toEqual([])
    },
  )

  it('goes on with a round of its own after recurse, which begins with the note', async () => {
    const { write, trust, play, deps } = played()
    write('recurse', shell(tool('recurse'), 'echo ok'))
    await trust('recurse')
    const { requests, isWhole } = await play(
      [asks(call('c1', 'recurse', '{"note":"check the soil"}')), [content('Checked.'), finish()]],
      { deps },
    )
    expect(isWhole).toBe(true)
    expect(requests).toHaveLength(2)
    expect(JSON.stringify(requests[1]?.messages)).toContain(
      '[Continuing from previous round]\\n\\nNote to self: check the soil',
    )
  })

  it('that has one which fails at every hook goes on as if it were not there', async () => {
    const { write, trust, play, deps, entriesOf, plugins } = played()
    const points = ['pre_message', 'pre_system_prompt', 'pre_api_request', 'post_message']
    write('broken', shell(tool('broken', { hooks: points }), 'echo \'{"prompt":"no"}\'; exit 1'))
    await trust('broken')
    const { isWhole } = await play([[content('Hello.'), finish()]], { text: 'Hi there', deps })
    expect(isWhole).toBe(true)
    expect((await entriesOf()).map(({ content: words }) => words)).toEqual(
      expect.arrayContaining([expect.stringContaining('Hi there'), 'Hello.']),
    )
    const [view] = (await plugins.list()).plugins
    expect(view?.runs.map(({ asked }) => asked)).toContain('hook post_message')
    expect(view?.runs.every(({ asked, exitCode }) => asked === '--schema' || exitCode === 1)).toBe(
      true,
    )
  })
})
