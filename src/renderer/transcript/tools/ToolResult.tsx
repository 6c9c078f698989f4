import { useMemo, useState } from 'react'
import { takePictures } from '../../../shared/model/calls/pictures-in-text'
import type { Entry } from '../../../shared/model/conversation/entry'
import { DiffView } from '../../ui/changes/DiffView'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { JsonTree } from '../../ui/json/JsonTree'
import { jsonNodes, shortestTree } from '../../ui/json/json-nodes'
import { TextPictures } from '../../ui/pictures/TextPictures'
import { LongText } from '../../ui/text/LongText'
import { useRevealed } from '../../ui/text/reveal'
import { type TerminalOutput, terminalOutput } from '../../ui/text/terminal-output'
import { DrawnResult } from './DrawnResult'
import { resultCardOf } from './result-card'
import { ToolText } from './ToolText'

/**
 * Result of a tool: what its call asked for as such, a diff as a diff, JSON as a tree, an output as a terminal shows it, pictures as pictures, else as it came.
 * What is drawn otherwise can be seen as it came.
 */
export function ToolResult(props: {
  readonly entry: Entry
  readonly text: string
  /** The call that it answers. */
  readonly call: Entry | undefined
}) {
  const { entry, text: whole, call } = props
  const [isPlain, setPlain] = useState(false)
  const taken = useMemo(() => takePictures(whole), [whole])
  const text = taken?.text ?? whole
  const isDiff = useMemo(() => isUnifiedDiff(text), [text])
  const terminal = useMemo(() => (isDiff ? undefined : terminalOutput(text)), [text, isDiff])
  const isSought = useRevealed(text) > 0
  const json = useMemo(
    () => (isDiff || isSought || text.length < shortestTree ? undefined : jsonNodes(text)),
    [text, isDiff, isSought],
  )
  const card = useMemo(
    () => (isDiff || isSought || taken !== undefined ? undefined : resultCardOf(call, entry, text)),
    [call, entry, text, isDiff, isSought, taken],
  )
  if (
    card === undefined &&
    !isDiff &&
    terminal === undefined &&
    taken === undefined &&
    json === undefined
  )
    return <ToolText title="Result" text={text} entry={entry} />
  return (
    <ToolText
      title="Result"
      text={whole}
      entry={entry}
      acts={
        <Button isSmall kind="ghost" isPressed={isPlain} onClick={() => setPlain(!isPlain)}>
          As it came
        </Button>
      }
    >
      {isPlain ? undefined : (
        <>
          {card !== undefined ? (
            <DrawnResult card={card} />
          ) : isDiff ? (
            <div className="tool-diff">
              <DiffView diff={text} />
            </div>
          ) : json !== undefined ? (
            <JsonTree root={json} label="Result as a tree" key={text} />
          ) : (
            <LongText
              text={terminal?.text ?? text}
              firstLines={24}
              label="Result"
              isTerminal={terminal !== undefined}
            />
          )}
          {card === undefined && terminal !== undefined && json === undefined && (
            <Left of={terminal} />
          )}
          {taken !== undefined && (
            <div className="tool-pictures">
              <TextPictures pictures={taken.pictures} />
            </div>
          )}
        </>
      )}
    </ToolText>
  )
}

/** Note on what of an output is not shown, as a terminal would not show it either. */
function Left(props: { readonly of: TerminalOutput }) {
  const { overwritten, controls } = props.of
  const parts = [
    ...(overwritten > 0 ? [formatQuantity(overwritten, 'overwritten line')] : []),
    ...(controls > 0 ? [formatQuantity(controls, 'control sequence')] : []),
  ]
  if (parts.length === 0) return null
  return <p className="tool-none t3 small">Without {parts.join(' and ')}, as in a terminal.</p>
}

/** Returns true for a text that is a unified diff from its first line on. */
function isUnifiedDiff(text: string): boolean {
  const start = text.slice(0, 4_000).trimStart()
  return (
    /^(?:diff --git |Index: |--- |@@ -\d)/.test(start) &&
    /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(start)
  )
}
