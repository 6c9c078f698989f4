import { visibleText } from '../../../shared/model/basics/visible'
import type { Statistics } from '../../../shared/model/statistics/statistics-shape'
import { formatCount, formatQuantity } from '../../ui/format/format'
import {
  compactCount,
  conversationsText,
  formatCost,
  formatShare,
  modelName,
  projectName,
} from '../marks/labels'
import { useShownMark } from '../marks/show-mark-context'
import { CellBar, DataTable } from './DataTable'
import { Panel } from './Panel'

/** Tools with their calls and failures. */
export function ToolsPanel(props: { readonly rows: Statistics['tools'] }) {
  const { rows } = props
  const show = useShownMark()
  const most = rows.reduce((max, { calls }) => Math.max(max, calls), 1)
  return (
    <Panel
      title="Tools"
      about="calls, and results that are failures in red"
      empty={rows.length === 0 ? 'No tool was called here.' : undefined}
      picture={
        <DataTable
          label="Tools by calls"
          columns={[
            { name: 'Tool' },
            { name: 'Share', isBar: true },
            { name: 'Calls', isNumber: true },
            { name: 'Failed', isNumber: true },
          ]}
          rows={rows.map(({ tool, calls, conversations, failures, failedIn }) => {
            const name = visibleText(tool)
            return {
              id: tool,
              name: <span className="mono">{name}</span>,
              label: `${name}: ${formatQuantity(calls, 'call')} in ${conversationsText(conversations)}`,
              onShow: () => show({ type: 'tool', tool, isFailed: false }, `Calls of ${name}`),
              cells: [
                <CellBar key="bar" part={calls / most} failed={Math.min(calls, failures) / most} />,
                formatCount(calls),
                failures === 0 ? (
                  <span key="failed" className="t3">
                    0
                  </span>
                ) : (
                  <button
                    key="failed"
                    type="button"
                    className="data-name failed"
                    aria-label={`${failedText(failures, calls)}: failures of ${name} in ${conversationsText(failedIn)}`}
                    title={`${formatQuantity(failures, 'failure')} in ${conversationsText(failedIn)}. Click to show them in the library.`}
                    onClick={() =>
                      show({ type: 'tool', tool, isFailed: true }, `Failures of ${name}`)
                    }
                  >
                    {failedText(failures, calls)}
                  </button>
                ),
              ],
            }
          })}
        />
      }
    />
  )
}

/** Failures, and their part of the calls; a result may belong to a call that is not shown. */
function failedText(failures: number, calls: number): string {
  return calls === 0
    ? formatCount(failures)
    : `${formatCount(failures)} · ${formatShare(failures, calls)}`
}

/** Models with their tokens and cost. */
export function ModelsPanel(props: { readonly rows: Statistics['models'] }) {
  const { rows } = props
  const show = useShownMark()
  const most = rows.reduce((max, { total }) => Math.max(max, total), 1)
  return (
    <Panel
      title="Models"
      about="tokens and cost, as providers told them"
      empty={rows.length === 0 ? 'No entry here names a model.' : undefined}
      picture={
        <DataTable
          label="Models by tokens"
          columns={[
            { name: 'Model' },
            { name: 'Share', isBar: true },
            { name: 'Entries', isNumber: true },
            { name: 'Read', isNumber: true },
            { name: 'Written', isNumber: true },
            { name: 'Cost', isNumber: true },
          ]}
          rows={rows.map(({ model, entries, conversations, input, output, total, cost }) => ({
            id: model,
            name: modelName(model),
            label: `${modelName(model)}: ${formatQuantity(entries, 'entry', 'entries')} in ${conversationsText(conversations)}`,
            onShow: () => show({ type: 'model', model }, modelName(model)),
            cells: [
              <CellBar key="bar" part={total / most} />,
              formatCount(entries),
              <Compact key="read" number={input} />,
              <Compact key="written" number={output} />,
              formatCost(cost),
            ],
          }))}
        />
      }
    />
  )
}

/** Projects with their conversations and cost. */
export function ProjectsPanel(props: { readonly rows: Statistics['projects'] }) {
  const { rows } = props
  const show = useShownMark()
  const most = rows.reduce((max, { conversations }) => Math.max(max, conversations), 1)
  return (
    <Panel
      title="Projects"
      about="as the lines of conversations name them"
      empty={rows.length === 0 ? 'There is no conversation here.' : undefined}
      picture={
        <DataTable
          label="Projects by conversations"
          columns={[
            { name: 'Project' },
            { name: 'Share', isBar: true },
            { name: 'Conversations', isNumber: true },
            { name: 'Tokens', isNumber: true },
            { name: 'Cost', isNumber: true },
          ]}
          rows={rows.map(({ project, conversations, total, cost }) => ({
            id: JSON.stringify(project),
            name: (
              <span className={project === null ? 't2' : ''} title={projectName(project)}>
                {shortProject(project)}
              </span>
            ),
            label: `${shortProject(project)}: ${conversationsText(conversations)}`,
            onShow: () => show({ type: 'project', project }, projectName(project)),
            cells: [
              <CellBar key="bar" part={conversations / most} />,
              formatCount(conversations),
              <Compact key="tokens" number={total} />,
              formatCost(cost),
            ],
          }))}
        />
      }
    />
  )
}

function Compact(props: { readonly number: number }) {
  return <span title={formatCount(props.number)}>{compactCount(props.number)}</span>
}

/** The last two parts of a path. */
function shortProject(project: string | null): string {
  const name = projectName(project)
  const parts = name.split(/[\\/]+/).filter(Boolean)
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : name
}
