import type { Home } from '../../home/home'

/** Gives parts of the open home to handlers. @throws AppError `not-found` while no home is open */
export type CurrentHome<Part extends keyof Home> = () => Pick<Home, Part>
