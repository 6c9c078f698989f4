import { ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { JsonObject } from '../../../shared/model/basics/json-object'
import { visibleText } from '../../../shared/model/basics/visible'
import { fileEdits } from '../../../shared/model/calls/file-edits'
import { shellCommand } from '../../../shared/model/calls/shell-command'
import type { Entry } from '../../../shared/model/conversation/entry'
import { EditedFiles } from '../../ui/changes/EditedFiles'
import { Button } from '../../ui/controls/Button'
import { Icon } from '../../ui/controls/Icon'
import { JsonTree } from '../../ui/json/JsonTree'
import { jsonNodes, shortestTree } from '../../ui/json/json-nodes'
import { CodeBlock } from '../../ui/text/CodeBlock'
import { useRevealed } from '../../ui/text/reveal'
import { drawnCall } from './CallCard'
import { ToolText } from './ToolText'

/**
 * Arguments of a call as what they ask for: changes of files as diffs, a command as a shell has it, others as a tree. What is
 * drawn otherwise can be opened as JSON below.
 */
export function CallView(props: {
  readonly call: Entry
  /** The arguments as formatted JSON; undefined where they are none, or too long to be parsed. */
  readonly pretty: string | undefined
}) {
  const { call, pretty } = props
  const edits = useMemo(() => fileEdits(call), [call])
  const command = useMemo(() => shellCommand(call), [call])
  const drawn = useMemo(() => drawnCall(call), [call])
  if (edits.length > 0)
    return (
      <>
        <section className="tool-edits" aria-label="Changes" data-part="drawn">
          <EditedFiles edits={edits} />
        </section>
        <AllArguments text={pretty ?? call.content} language={pretty === undefined ? '' : 'json'} />
      </>
    )
  if (drawn !== undefined && command === undefined)
    return (
      <>
        <section aria-label={drawn.name} data-part="drawn">
          {drawn.content}
        </section>
        <AllArguments text={pretty ?? call.content} language={pretty === undefined ? '' : 'json'} />
      </>
    )
  const hasMore = !Object.values(command?.others ?? {}).every(isShort)
  if (command !== undefined)
    return (
      <>
        <section aria-label="Command" data-part={hasMore ? 'drawn' : 'arguments'}>
          <CodeBlock code={command.command} language="shell" />
          <Others of={command.others} />
        </section>
        {hasMore && <AllArguments text={pretty ?? call.content} language="json" />}
      </>
    )
  return (
    <section aria-label="Arguments" data-part="arguments">
      {pretty === undefined ? (
        <ToolText title="Arguments, as they came" text={call.content} />
      ) : (
        <Arguments content={call.content} pretty={pretty} />
      )}
    </section>
  )
}

/** Arguments that nothing draws otherwise: a tree that folds; as text where they are short, or where a landing leads into them. */
function Arguments(props: { readonly content: string; readonly pretty: string }) {
  const { content, pretty } = props
  const [isPlain, setPlain] = useState(false)
  const isSought = useRevealed(pretty) > 0
  const root = useMemo(
    () => (isSought || content.length < shortestTree ? undefined : jsonNodes(content)),
    [content, isSought],
  )
  if (root === undefined) return <CodeBlock code={pretty} language="json" />
  return (
    <ToolText
      title="Arguments"
      text={content}
      acts={
        <Button isSmall kind="ghost" isPressed={isPlain} onClick={() => setPlain(!isPlain)}>
          As it came
        </Button>
      }
    >
      {isPlain ? undefined : <JsonTree root={root} label="Arguments as a tree" key={content} />}
    </ToolText>
  )
}

/** Longest text that is shown on the line of its name. */
const shortCharacters = 200

function isShort(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length <= shortCharacters
    : typeof value !== 'object' || value === null
}

/** Other arguments of a command, a line each; long ones and lists are below, in all arguments. */
function Others(props: { readonly of: JsonObject }) {
  const shown = Object.entries(props.of).filter(([, value]) => isShort(value))
  if (shown.length === 0) return null
  return (
    <dl className="tool-facts small">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt className="t3">{visibleText(name)}</dt>
          <dd dir="auto">
            {visibleText(typeof value === 'string' ? value : JSON.stringify(value))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Fold of all arguments, as JSON. It is open where a landing leads into it. */
function AllArguments(props: { readonly text: string; readonly language: string }) {
  const { text, language } = props
  const isSought = useRevealed(text) > 0
  const [asked, setAsked] = useState<boolean>()
  const isOpen = asked ?? isSought
  return (
    <section aria-label="All arguments" data-part="arguments">
      <button
        type="button"
        className="tool-more"
        aria-expanded={isOpen}
        onClick={() => setAsked(!isOpen)}
      >
        <Icon of={ChevronRight} size={12} className={isOpen ? 'turned' : ''} />
        All arguments
      </button>
      {isOpen && <CodeBlock code={text} language={language} />}
    </section>
  )
}
