import { ChevronRight, ShieldQuestion } from 'lucide-react'
import { type Ref, useId, useMemo, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import { diffLines } from '../../shared/model/calls/diff-lines'
import { useConsent, useStores } from '../state/context'
import type { ConsentAsked, ConsentDecision } from '../state/run-state'
import { useDelayedFlag } from '../ui/behaviour/hooks'
import { DiffView } from '../ui/changes/DiffView'
import { LineGrowth } from '../ui/changes/LineGrowth'
import { Button, KeyHint } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { formatCount } from '../ui/format/format'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { LongText } from '../ui/text/LongText'
import { consentShortcut } from './consent-shortcut'

/** Delay before the buttons work, in ms: a press meant for something else there must not decide. */
const settleMs = 500

/** Card of a call that waits for consent: what it would do, and the answers. Only a button decides. */
export function ConsentCard(props: {
  readonly asked: ConsentAsked
  /** Number of calls that wait here, this one included. */
  readonly total: number
  readonly ref: Ref<HTMLElement>
}) {
  const { asked, total } = props
  const { tool, title, diff } = asked
  const { consent } = useStores()
  const isDeciding = useConsent(({ deciding }) => deciding === asked.consentId)
  const refusal = useConsent((state) =>
    state.refusal?.of === asked.consentId ? state.refusal : undefined,
  )
  const isSettled = useDelayedFlag(true, settleMs)
  const titleId = useId()
  const name = visibleText(tool)

  const act = (decision: ConsentDecision) => ({
    isDisabled: !isSettled,
    isBusy: isDeciding,
    onClick: () => void consent.getState().decide(asked.consentId, decision),
  })
  return (
    <section
      ref={props.ref}
      className="consent"
      aria-label="Approval"
      aria-describedby={titleId}
      tabIndex={-1}
    >
      <div className="consent-head">
        <Icon of={ShieldQuestion} className="warn-t" />
        <h2>{diff === undefined ? 'Allow this call?' : 'Allow this change?'}</h2>
        <code className="consent-tool">{name}</code>
        {total > 1 && <span className="t2 small number">1 of {formatCount(total)}</span>}
        <span className="grow" />
        <KeyHint keys={consentShortcut} />
      </div>
      <div className="consent-title">
        <p id={titleId} className="grow" dir="auto">
          {visibleText(title)}
        </p>
        {diff !== undefined && <Growth diff={diff} />}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not text */}
      <div
        className="consent-body"
        role="group"
        aria-label="Preview"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        {diff !== undefined && diff !== '' && <DiffView diff={diff} />}
        <Arguments text={asked.arguments} startsOpen={diff === undefined || diff === ''} />
      </div>
      <RefusalNote
        isBar
        title="Your answer did not arrive."
        refusal={refusal}
        more="The call is still waiting."
      />
      <div className="consent-acts">
        <Button kind="primary" {...act('once')}>
          Allow once
        </Button>
        <Button tooltip="In this conversation, until Skein is closed" {...act('always')}>
          <span className="cut">Always allow {name} here</span>
          <span className="unseen"> until Skein is closed</span>
        </Button>
        <span className="grow" />
        <Button kind="danger" {...act('denied')}>
          Deny
        </Button>
      </div>
    </section>
  )
}

function Growth(props: { readonly diff: string }) {
  const { added, removed } = useMemo(() => diffLines(props.diff), [props.diff])
  return <LineGrowth added={added} removed={removed} />
}

/** The complete arguments of the call. */
function Arguments(props: { readonly text: string; readonly startsOpen: boolean }) {
  const [isOpen, setOpen] = useState(props.startsOpen)
  return (
    <div className="consent-arguments">
      <button
        type="button"
        className="consent-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={ChevronRight} className={`consent-chevron ${isOpen ? 'turned' : ''}`} />
        Arguments
      </button>
      {isOpen && <LongText className="mono" text={props.text} firstLines={40} label="Arguments" />}
    </div>
  )
}
