import { HardDrive, Lock, Shield } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AppStatus } from '../state/app/app'
import { useActions, useApp, useStores } from '../state/context'
import { Button, EnterHint } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { RadioChoice } from '../ui/controls/RadioChoice'
import { formatQuantity } from '../ui/format/format'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { FoundHistories } from './FoundHistories'
import { ModelsThatAnswer } from './ModelsThatAnswer'
import { ProductBar } from './ProductBar'

type HomeType = 'default' | 'choose' | 'sample'

/** First start: the choice of a home, and the models that answer. */
export function FirstRun(props: { readonly status: AppStatus }) {
  const { home } = props.status
  const { app } = useStores()
  const { openHome } = useActions()
  const opening = useApp((state) => state.opening)
  const failure = useApp((state) => state.openFailure)
  const [choice, setChoice] = useState<HomeType>('default')

  // A form, so that Enter on a choice submits.
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void openHome(choice)
  }
  return (
    <div className="first-run">
      <ProductBar />
      <main className="first-run-columns">
        <section className="first-run-home" aria-label="Your home">
          <h1>Your conversations with models, in one place, on this machine</h1>
          <p className="first-run-lead">
            What you write here goes into plain text files that you can open with anything.
            Conversations that are already there are shown as they are and never changed.
          </p>
          <form onSubmit={onSubmit}>
            <div
              className="first-run-choices"
              role="radiogroup"
              aria-label="Where Skein keeps its conversations"
            >
              <Card
                value="default"
                choice={choice}
                onChoose={setChoice}
                title={
                  <>
                    Use <span className="mono small">{home.shown}</span>
                  </>
                }
                words={
                  home.exists
                    ? home.contexts === 0
                      ? 'No conversations there yet.'
                      : `${formatQuantity(home.contexts, 'conversation')} there already.`
                    : 'Created with your first message.'
                }
              />
              <Card
                value="choose"
                choice={choice}
                onChoose={setChoice}
                title="Open another folder…"
                words="A folder of conversations somewhere else."
              />
              <Card
                value="sample"
                choice={choice}
                onChoose={setChoice}
                title="Look around in a sample library"
                words="A dozen invented conversations with tools and code. Yours are not read."
              />
            </div>
            {failure !== undefined && (
              <div className="first-run-note">
                <RefusalNote title="Not opened." refusal={failure} />
              </div>
            )}
            <div className="row-x first-run-actions">
              <Button kind="primary" className="large" isBusy={opening !== undefined} type="submit">
                Open the library
                <EnterHint />
              </Button>
              <Button
                kind="ghost"
                className="large"
                onClick={() => app.getState().openSettings('model')}
              >
                Set up a model first
              </Button>
            </div>
          </form>
          <hr className="rule" />
          <dl className="first-run-promises">
            <dt>
              <Icon of={Shield} />
            </dt>
            <dd>
              <b>Nothing leaves this machine</b> but the messages you send to the model you choose.
              No account, no telemetry.
            </dd>
            <dt>
              <Icon of={HardDrive} />
            </dt>
            <dd>
              <b>Plain files.</b> Conversations are JSON lines in{' '}
              <span className="mono small">{home.shown}</span>, only ever added to.
            </dd>
            <dt>
              <Icon of={Lock} />
            </dt>
            <dd>
              <b>Keys</b> go to the system keychain, never to a log or into a conversation.
            </dd>
          </dl>
        </section>
        <div className="first-run-aside">
          <FoundHistories />
          <ModelsThatAnswer />
        </div>
      </main>
    </div>
  )
}

function Card(props: {
  readonly value: HomeType
  readonly choice: HomeType
  readonly title: ReactNode
  readonly words: string
  readonly onChoose: (choice: HomeType) => void
}) {
  const { value, choice, title, words, onChoose } = props
  return (
    <RadioChoice
      className="first-run-card"
      group="home"
      title={title}
      words={words}
      isChosen={value === choice}
      onChoose={() => onChoose(value)}
    />
  )
}
