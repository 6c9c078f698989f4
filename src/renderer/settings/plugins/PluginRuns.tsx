import { useState } from 'react'
import type { PluginRun } from '../../../shared/model/settings/plugins'
import { Button } from '../../ui/controls/Button'
import { clockTime } from '../../ui/format/format'
import { LongText } from '../../ui/text/LongText'
import { pluginRunsText, pluginRunText } from './plugin-labels'

/** Last runs of a plugin, unfolded on demand: outcome, exit code and stderr of each. */
export function PluginRuns(props: { readonly name: string; readonly runs: readonly PluginRun[] }) {
  const { name, runs } = props
  const [isOpen, setOpen] = useState(false)
  const words = pluginRunsText(runs)
  if (words === undefined) return null
  const failed = runs[0]?.problem !== null
  return (
    <div className="plugin-runs">
      <span className={`small ${failed ? 'err-t' : 't2'}`}>{words}</span>
      <Button kind="ghost" isSmall isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide runs' : 'Show runs'}
      </Button>
      {isOpen && (
        <ul className="plugin-run-list" aria-label={`Runs of ${name}`}>
          {runs.map((run, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several runs may begin in one millisecond
            <li key={index}>
              <span className="number t3 small">{clockTime(run.startedAtMs)}</span>{' '}
              <span className={`small ${run.problem === null ? '' : 'err-t'}`}>
                {pluginRunText(run)}
              </span>
              {run.stderr !== '' && (
                <LongText
                  className="plugin-text"
                  text={run.stderr}
                  firstLines={8}
                  label="Error output (stderr)"
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
