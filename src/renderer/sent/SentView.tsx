import { FileClock } from 'lucide-react'
import { assertNever } from '../../shared/model/basics/errors'
import { visibleText } from '../../shared/model/basics/visible'
import type { Sent } from '../../shared/model/run/sent'
import { useActions, useSent, useStores } from '../state/context'
import type { Loadable, SentTab } from '../state/run-state'
import { useShownTitle } from '../state/use-shown-title'
import { Icon } from '../ui/controls/Icon'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { exactTime } from '../ui/format/format'
import { Sheet } from '../ui/panes/Sheet'
import { CopyButton } from '../ui/text/CodeBlock'
import { LongText } from '../ui/text/LongText'
import { CompareView } from './CompareView'
import { SentFailureNote } from './FailedNote'
import { RequestView } from './RequestView'
import { SentFacts } from './SentFacts'

const ways: Readonly<Record<SentTab, string>> = {
  request: 'Request',
  compare: 'Compare',
  json: 'JSON',
}

/** Dialog of the request before an answer: in parts, in comparison with another one, or as JSON. */
export function SentView() {
  const { sent: store } = useStores()
  const answer = useSent((state) => state.answer)
  const way = useSent((state) => state.way)
  const sent = useSent((state) => state.sent)
  const title = useShownTitle(answer?.key)
  const close = useSent((state) => state.close)
  const actions = useActions()

  /** Goes to the entry that the view was left for, once the dialog no longer holds the focus. */
  function goToEntry(): boolean {
    const place = store.getState().takeLeftFor()
    if (place === undefined) return false
    void actions.openAt(place.key, { entry: place.entry })
    return true
  }
  return (
    <Sheet
      title="Sent to the model"
      about={answer === undefined ? undefined : aboutOf(title, sent)}
      className={sent.type === 'failed' ? 'sent failed' : 'sent'}
      isOpen={answer !== undefined}
      first=".segment-input:checked"
      onClose={close}
      onClosed={goToEntry}
    >
      {sent.type === 'here' && <SentFacts sent={sent.value} />}
      <div className="sent-ways">
        <SegmentedControl
          label="View"
          value={way}
          options={ways}
          onChoose={(chosen) => store.getState().look(chosen)}
        />
        <span className="grow" />
        {way === 'json' && <CopyBody />}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, not text */}
      <div
        key={way}
        className="dialog-body sent-body"
        role="group"
        aria-label={ways[way]}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <Body way={way} />
      </div>
    </Sheet>
  )
}

/** Returns title, time and model of the request, as far as they are known. */
function aboutOf(title: string, sent: Loadable<Sent>): string {
  const who = visibleText(title)
  if (sent.type !== 'here') return who
  const { sentAtMs, answeredAtMs, model } = sent.value
  return [
    who,
    ...(sentAtMs !== null
      ? [`sent ${exactTime(sentAtMs)}`]
      : answeredAtMs !== null
        ? [`answered ${exactTime(answeredAtMs)}`]
        : []),
    model === undefined ? 'model not known' : visibleText(model),
  ].join(' · ')
}

function Body(props: { readonly way: SentTab }) {
  const sent = useSent((state) => state.sent)
  const body = useSent((state) => state.body)
  const { way } = props
  if (sent.type === 'failed') return <SentFailureNote failure={sent.failure} />
  if (sent.type === 'loading') return <Loading />
  switch (way) {
    case 'request':
      return <RequestView sent={sent.value} />
    case 'compare':
      return <CompareView sent={sent.value} />
    case 'json':
      return <JsonView body={body} />
    default:
      return assertNever(way)
  }
}

function Loading() {
  return (
    <p className="sent-empty t3" role="status">
      <Icon of={FileClock} />
      Loading the request…
    </p>
  )
}

function JsonView(props: { readonly body: Loadable<string> }) {
  const { body } = props
  if (body.type === 'failed') return <SentFailureNote failure={body.failure} />
  if (body.type === 'loading') return <Loading />
  return <LongText text={body.value} firstLines={400} label="The request as JSON" />
}

function CopyBody() {
  const body = useSent((state) => state.body)
  return body.type === 'here' ? <CopyButton label="Copy JSON" text={body.value} /> : null
}
