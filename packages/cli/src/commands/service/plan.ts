/** A role of this machine that its service manager starts and keeps running. */
export interface ServiceSpec {
  /** Of the service, as in `a2c-computer`. */
  name: string;
  role: 'computer' | 'server';
  /** `system` starts with the machine, `user` with the session of its user. */
  scope: 'user' | 'system';
  /** The user of a system service; undefined for a user that the system makes up. */
  user: string | undefined;
  /** The program and its arguments. They hold no secrets: all users of a machine can list them. */
  command: readonly string[];
  /** Settings and credentials, as the variables of the command's options. */
  environment: Readonly<Record<string, string>>;
}

/** Facts about the machine that plans depend on. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  /** Undefined on Windows. */
  uid: number | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

export interface PlannedFile {
  path: string;
  text: string;
  encoding: BufferEncoding;
  /** Permissions. Files with credentials belong to their user alone. */
  mode: number;
}

/** A command line of the service manager. */
export interface Step {
  words: readonly string[];
  /** True if it fails when there is nothing to do. */
  mayFail?: boolean;
  /** The advice when the machine lacks the program, if it is not a part of the system. */
  missing?: string;
}

/** Everything that is done to a service. It is data, so that plans for other systems can be shown and tested. */
export interface ServicePlan {
  /** The definition of the service first. */
  files: readonly PlannedFile[];
  install: readonly Step[];
  /** Runs before the files are removed. */
  uninstall: readonly Step[];
  /** Runs after the files were removed. */
  cleanUp: readonly Step[];
  status: readonly string[];
  logs(options: LogView): readonly string[];
  /** Notes for the user after the installation. */
  notes: readonly string[];
}

export interface LogView {
  lines: number;
  isFollowing: boolean;
}

/** A title for lists of services. */
export function titleOf({ role }: ServiceSpec): string {
  return role === 'computer' ? 'A2C-SMCP Computer' : 'A2C-SMCP Server';
}
