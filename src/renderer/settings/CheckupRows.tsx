import { useRef, useState } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { HomeFinding } from '../../shared/model/checkup'
import { useCheckup, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { SettingRow } from './rows/SettingRow'

/** Row of Settings that looks for what is wrong with the home, with what it found and the repair. */
export function CheckupRows() {
  const { checkup: store } = useStores()
  const running = useCheckup((state) => state.running)
  const refusal = useCheckup((state) => state.refusal)
  const check = useRef<HTMLButtonElement>(null)
  return (
    <>
      <RefusalNote title="The home was not checked to its end." refusal={refusal} />
      <SettingRow
        name="Check"
        words="Reads every conversation of the home and says what is wrong, what is lost, and what Skein does about it. Changes nothing."
        control={
          <Button
            ref={check}
            isSmall
            isBusy={running === 'check'}
            onClick={() => void store.getState().check()}
          >
            Check this home
          </Button>
        }
      />
      <CheckupProgress />
      <CheckupResult left={() => check.current?.focus()} />
    </>
  )
}

function CheckupProgress() {
  const { checkup: store } = useStores()
  const running = useCheckup((state) => state.running)
  const step = useCheckup((state) => state.step)
  if (running === undefined || step === undefined) return null
  const words = running === 'check' ? 'Checking the home' : 'Repairing the home'
  return (
    <div className="settings-after import-progress">
      <span className="small t2 settings-words">{words}</span>
      <progress aria-label={words} max={Math.max(step.all, 1)} value={step.done} />
      <span className="small t2 number">
        {step.done} of {formatQuantity(step.all, 'conversation')}
      </span>
      <Button kind="ghost" isSmall onClick={() => void store.getState().stop()}>
        Stop
      </Button>
    </div>
  )
}

/** @param props.left gives the focus on where what had it is gone */
function CheckupResult(props: { readonly left: () => void }) {
  const checkup = useCheckup((state) => state.checkup)
  const repair = useCheckup((state) => state.repair)
  if (checkup === undefined) return null
  const { contexts, findings } = checkup
  const looked = formatQuantity(contexts, 'conversation')
  return (
    <div className="settings-after checkup">
      {repair !== undefined && (
        <Note
          tone={repair.failed.length === 0 && repair.stopped === null ? 'info' : 'warn'}
          title={`${formatQuantity(repair.repaired.length, 'finding')} repaired.`}
        >
          {`The home as it was: ${visibleText(repair.copy)}`}
          {repair.stopped !== null &&
            ` The repair ended early: ${visibleText(repair.stopped)} What is listed is what the last look found.`}
          {repair.failed.map(
            ({ place, why }) => ` ${visibleText(place)} was not repaired: ${visibleText(why)}`,
          )}
        </Note>
      )}
      {findings.length === 0 ? (
        <Note tone="info" title="Nothing is wrong.">{`${looked} checked.`}</Note>
      ) : (
        <>
          <h3 className="settings-head">
            Findings <span className="t3 number">{findings.length}</span>
          </h3>
          <ul className="checkup-findings" aria-label="Findings">
            {findings.map((finding) => (
              <FindingItem key={`${finding.kind} ${finding.place}`} finding={finding} />
            ))}
          </ul>
          <RepairPart findings={findings} left={props.left} />
        </>
      )}
    </div>
  )
}

function FindingItem({ finding }: { readonly finding: HomeFinding }) {
  const { place, happened, lost, byItself, repair } = finding
  const facts = [
    ['Lost', lost],
    ['Skein', byItself],
    ['Repair', repair ?? 'None is certain.'],
  ] as const
  return (
    <li>
      <span className="mono small checkup-place">{visibleText(place)}</span>
      <p>{visibleText(happened)}</p>
      <dl className="small t2">
        {facts.map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visibleText(words)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** Says what a repair does before it does it. */
function RepairPart(props: {
  readonly findings: readonly HomeFinding[]
  readonly left: () => void
}) {
  const { findings, left } = props
  const { checkup: store } = useStores()
  const running = useCheckup((state) => state.running)
  const [isAsked, setIsAsked] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const repairs = [...new Set(findings.flatMap(({ repair }) => repair ?? []))]
  const count = findings.filter(({ repair }) => repair !== null).length
  if (count === 0) return null
  const repairAll = async () => {
    await store.getState().repairAll()
    if (store.getState().repair === undefined) return
    setIsAsked(false)
    left()
  }
  return (
    <>
      <Button ref={opener} isSmall isExpanded={isAsked} onClick={() => setIsAsked(!isAsked)}>
        {`Repair ${formatQuantity(count, 'finding')}…`}
      </Button>
      {isAsked && (
        <section aria-label="Repair" className="checkup-repair">
          <p>
            A snapshot of the home goes into a folder that you choose, and is read back. Then the
            repair:
          </p>
          <ul>
            {repairs.map((words) => (
              <li key={words}>{visibleText(words)}</li>
            ))}
          </ul>
          <p className="small t2">
            No line of a conversation is changed. To go back, restore the snapshot.
          </p>
          <div className="checkup-buttons">
            <Button
              kind="primary"
              isSmall
              isBusy={running === 'repair'}
              onClick={() => void repairAll()}
            >
              Take a snapshot and repair…
            </Button>
            <Button
              kind="ghost"
              isSmall
              onClick={() => {
                setIsAsked(false)
                opener.current?.focus()
              }}
            >
              Cancel
            </Button>
          </div>
        </section>
      )}
    </>
  )
}
