import type { HomeFinding } from '../../../shared/model/checkup'

/** Something wrong with a file outside of the home, and its repair. */
export interface OwnFinding {
  readonly finding: HomeFinding
  /** Undefined where none is certain. @throws DiskError, AppError */
  readonly mend?: () => Promise<void>
}
