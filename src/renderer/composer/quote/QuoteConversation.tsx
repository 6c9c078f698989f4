import { useEffect } from 'react'
import { type QuotedPart, quoteLimit } from '../../../shared/model/attachments/mentions'
import { visibleText } from '../../../shared/model/basics/visible'
import { useMentions } from '../../state/context'
import { focusOn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { RadioChoice } from '../../ui/controls/RadioChoice'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { Sheet } from '../../ui/panes/Sheet'
import { LongText } from '../../ui/text/LongText'

const parts: readonly (readonly [QuotedPart, string, string])[] = [
  ['last', 'The last answer', 'What the model said last.'],
  ['prompts', 'Prompts and last answers', 'Each prompt, with the last answer to it.'],
  [
    'all',
    'All that was said',
    `The newest ${formatCount(quoteLimit)} characters at most; no tools.`,
  ],
]

/** Dialog that asks which part of a conversation is quoted, and shows it; nothing while none is asked for. */
export function QuoteConversation(props: {
  /** Of the draft; with another one, or none, the question is left. */
  readonly place: string
  /** Attaches the quote to the draft. */
  readonly onQuote: (name: string, text: string) => void
}) {
  const { place, onQuote } = props
  const question = useMentions((state) => state.question)
  const choose = useMentions((state) => state.choose)
  const leave = useMentions((state) => state.leave)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another draft the question is left
  useEffect(() => leave, [place, leave])
  if (question?.place !== place) return null
  const { title, part, quote, failure } = question
  return (
    <Sheet
      title="Quote a conversation"
      about={visibleText(title)}
      className="attached-preview"
      first="input:checked"
      onClose={leave}
      onClosed={() => focusOn('composer')}
    >
      <div className="dialog-body question">
        <fieldset className="choices">
          <legend className="unseen">Which part is quoted</legend>
          {parts.map(([name, words, about]) => (
            <RadioChoice
              key={name}
              group="quoted-part"
              title={words}
              words={about}
              isChosen={name === part}
              onChoose={() => choose(name)}
            />
          ))}
        </fieldset>
        {failure !== undefined && <RefusalNote title="Not quoted." refusal={failure} />}
        <p className="small t2" role="status">
          {quote !== undefined &&
            `${formatQuantity(quote.messages, 'message')}, ${formatQuantity(quote.text.length, 'character')}.${quote.isCut ? ' Its beginning is left out.' : ''}`}
        </p>
        {quote !== undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys
          <section className="quote-preview" aria-label="Quote" tabIndex={0}>
            <LongText text={quote.text} firstLines={12} label="Quote" className="mono" />
          </section>
        )}
      </div>
      <footer className="dialog-foot">
        <span className="grow t3 small">It goes with the message as a text file.</span>
        <Button onClick={leave}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={quote === undefined}
          onClick={() => {
            if (quote !== undefined) onQuote(quote.name, quote.text)
            leave()
          }}
        >
          Attach
        </Button>
      </footer>
    </Sheet>
  )
}
