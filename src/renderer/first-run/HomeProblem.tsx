import { RotateCcw } from 'lucide-react'
import { visibleText } from '../../shared/model/basics/visible'
import type { AppStatus } from '../state/app/app'
import { useActions, useApp, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { Note } from '../ui/notes/Note'
import { ProductBar } from './ProductBar'

/** Page for a home that cannot be opened, or for an app that does not answer: what happened, and what can be done. */
export function HomeProblem(props: { readonly status: AppStatus | undefined }) {
  const { status } = props
  const { app } = useStores()
  const { start, openHome } = useActions()
  const failure = useApp((state) => state.failure)
  const openFailure = useApp((state) => state.openFailure)
  const opening = useApp((state) => state.opening)
  const title = status === undefined ? 'Skein did not start' : 'This folder can’t be opened'
  return (
    <div className="first-run">
      <ProductBar />
      <main className="words home-problem">
        <h1>{title}</h1>
        {status?.problem !== undefined && <p>{visibleText(status.problem)}</p>}
        {failure !== undefined && <p>{failure.message}</p>}
        <p>Nothing on the disk was changed.</p>
        <div className="words-actions">
          <Button icon={RotateCcw} onClick={() => void start()}>
            Try again
          </Button>
          <Button isBusy={opening === 'choose'} onClick={() => void openHome('choose')}>
            Open another folder…
          </Button>
          <Button
            kind="ghost"
            isBusy={opening === 'sample'}
            onClick={() => void openHome('sample')}
          >
            Look around in a sample library
          </Button>
          {status !== undefined && (
            <Button kind="ghost" onClick={() => void app.getState().reveal('', '')}>
              Show the folder
            </Button>
          )}
        </div>
        {(openFailure ?? failure) !== undefined && (
          <div className="first-run-note">
            <Note
              tone="error"
              title={openFailure === undefined ? 'Details' : 'Not opened.'}
              detail={(openFailure ?? failure)?.detail}
            >
              {openFailure?.message}
            </Note>
          </div>
        )}
      </main>
    </div>
  )
}
