import { dirname } from "node:path";
import { endianness } from "node:os";

/** What a client is written for. */
export interface ClientParts {
  /** The cold program, absolute, with the words that start it. */
  readonly own: readonly string[];
  /** Where the warm host listens, absolute. */
  readonly socket: string;
  /** Names of the variables that it sends. */
  readonly variables: readonly string[];
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform;
}

/** How the sentence of a denial ends when the guard itself is at fault, for the agent's person. No quotes, no `$`. */
export const WAY_OUT = "what helps is skillctl hooks install or skillctl hooks remove, typed by a person.";

/** What stands before the client in the file of the dispatcher, on a line of its own. */
const MARK = "#!perl";

/**
 * What perl is started with, before the dispatcher's file and the dialect: it reads the client out of that file. Whatever
 * is wrong with the file is a denial. Without `$`, since Gemini CLI fills in variables; without PERL_UNICODE and
 * sitecustomize.pl.
 */
export const PERL_WORDS = [
  "-fC0",
  "-0777",
  "-e",
  `open F,"<",shift;eval((split/^${MARK}\\n/m,<F>)[1]);print STDERR"skillctl guard denies this: its dispatcher is missing or damaged; ${WAY_OUT}\\n";exit 2`,
] as const;

/** Variables of Perl that could put other code in the client's place, or have it warn. */
export const PERL_VARIABLES = "PERL5OPT= PERL_BADLANG=0 PERL_SKIP_LOCALE_INIT=1";

/**
 * The client of the warm host, in Perl without modules: of what machines have (perl, nc, socat, curl) it starts the
 * fastest, and nothing else hands the event on when the host fails. Perl reads it at every event, so that it is short, has
 * no pattern on its way, and keeps as a text what is needed only when the host gives no answer or says something.
 *
 * It sends `skillctl-guard/1`, dialect, working folder, names of variables with blanks between, the cold program, and the
 * variables of these and of our own names that are set, each ended by NUL, an empty field, then the event as it comes.
 * The host answers dots while it works, then `<mark> <status>`, a line end, standard output, mark, standard error, mark;
 * or `no` when the cold program has to answer. Agents take no other status for a denial than 2. Silence of two seconds, an answer that is not whole, or none, and the cold
 * program gets the same bytes. When that gives no answer either, the event is denied.
 */
export function clientText({ own, socket, variables, platform = process.platform }: ClientParts): string {
  return `
${MARK}
$socket = ${perlWord(socket)};
$folder = ${perlWord(dirname(socket))};
$address = ${addressOf(socket, platform)};
@names = (${variables.map(perlWord).join(", ")});
@cold = (${own.map(perlWord).join(", ")});
$more = <<'END';
${MORE}
END
$rest = <<'END';
${REST}
END
${HOT}
`;
}

/** The address of a socket as the system has it: macOS and the BSDs begin with its length. */
function addressOf(socket: string, platform: NodeJS.Platform): string {
  const family = endianness() === "LE" ? String.raw`"\1\0"` : String.raw`"\0\1"`;
  return platform === "linux" ? `${family} . $socket` : `pack "CCa104", 106, 1, $socket`;
}

function perlWord(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** An event that ends in a brace is whole, as a rule: the host says more than dots then, and nothing, when no rule objects. */
const HOT = String.raw`$SIG{PIPE} = "IGNORE";
$open = $warm = $ended = 1;
$event = $said = "";
$cwd = readlink "/proc/self/cwd" or chop($cwd = qx{/bin/pwd -P});
$read = sysread STDIN, $event, 65536;
$open = $read if defined $read;
@at = lstat $folder;
if (!defined $read && $! != 4 && $! != 11 && $! != 35 || $cwd eq "" || substr($cwd, -10) eq " (deleted)" || !defined $ENV{HOME} || $ENV{SKILLCTL_GUARD_HOST} eq "off") { $warm = 0 }
elsif (-d _ && $at[4] == $> && !($at[2] & 63) && socket HOST, 1, 1, 0) {
  $ended = eval {
    $SIG{ALRM} = sub { die };
    alarm 2;
    connect HOST, $address or return 1;
    $next = join "\0", "skillctl-guard/1", $ARGV[0], $cwd, "@names", "@cold", map("$_=$ENV{$_}", grep exists $ENV{$_}, @names), map("$_=$ENV{$_}", sort grep substr($_, 0, 9) eq "SKILLCTL_", keys %ENV), "", $event;
    syswrite(HOST, $next) == length $next or return 1;
    if (index(substr($event, -2), "}") >= 0) {
      sysread HOST, $said, 65536 or return 1;
      $mark = substr $said, 0, 25;
      exit 0 if $said eq "$mark 0\n$mark$mark" && index($mark, "skillctl-") == 0 && length $mark == 25;
    }
    eval $more;
  };
  alarm 0;
}
eval $rest;`;

/** The answer comes in pieces, or says something; or the event does. */
const MORE = String.raw`shutdown HOST, 1 unless $open;
for (;;) {
  if ($said ne "") {
    @said = $said =~ /^\.*(skillctl-[0-9a-f]{16}) ([0-9]{1,3})\n(.*?)\1(.*?)\1\z/s and return 1;
    $said =~ s/^\.+//;
    return 1 if time - $^T > 60;
    alarm 2;
  }
  $ready = "";
  vec($ready, fileno HOST, 1) = 1;
  vec($ready, 0, 1) = 1 if $open;
  select $ready, undef, undef, undef;
  if ($open && vec $ready, 0, 1) {
    $read = sysread STDIN, $event, 65536, length $event;
    if ($read) { length $event <= 8388608 && syswrite(HOST, substr $event, -$read) == $read or return 1 }
    elsif (defined $read || $! != 4 && $! != 11 && $! != 35) { $open = 0; shutdown HOST, 1 }
  }
  if (vec $ready, fileno HOST, 1) { sysread HOST, $said, 65536, length $said or return 1 }
}`;

/** What the host has said is handed on; or the cold program gets what was read, and what is still to come. */
const REST = String.raw`sub put {
  my ($to, $bytes) = @_;
  for (my $at = 0; $at < length $bytes;) {
    my $n = syswrite $to, $bytes, 65536, $at;
    if (defined $n) { $at += $n }
    elsif ($! == 11 || $! == 35) { my $w = ""; vec($w, fileno $to, 1) = 1; select undef, $w, undef, undef }
    elsif ($! != 4) { return 0 }
  }
  return 1;
}

sub deny {
  put *STDERR, "skillctl guard denies this, because it cannot be judged: $_[0]; ${WAY_OUT}\n";
  exit 2;
}

$agent = $ARGV[0] ne "skillctl";
if (@said) {
  put *STDOUT, $said[2];
  put *STDERR, $said[3];
  exit($said[1] && $agent ? 2 : $said[1]);
}
unlink $socket if !$ended && -S $socket;
close HOST;
delete @ENV{"PERL5OPT", "PERL_BADLANG", "PERL_SKIP_LOCALE_INIT"};
$warm = 0 if $said eq "no\n";
my @words = (@cold, "guard", "--dialect", $ARGV[0], $warm ? "--warm" : ());
# Node would tell of a file that is missing with a stack.
index($_, "/") || -e $_ || deny("$_ is missing") for @cold;
my ($from, $to);
my $piped = length $event || !$open;
pipe $from, $to or deny("there is no pipe") if $piped;
my $child = fork;
deny("no process can be started") unless defined $child;
if (!$child) {
  $SIG{PIPE} = "DEFAULT";
  if ($piped) { close $to; open STDIN, "<&", $from; close $from }
  exec { $words[0] } @words;
  deny("$words[0] cannot be started ($!)");
}
if ($piped) {
  close $from;
  $open = 0 unless put $to, $event;
  while ($open) {
    last if waitpid($child, 1) == $child && ($child = 0, 1);
    my $ready = "";
    vec($ready, 0, 1) = 1;
    next unless select($ready, undef, undef, 0.1) > 0;
    my $read = sysread STDIN, $event, 65536;
    next if !defined $read && ($! == 4 || $! == 11 || $! == 35);
    last if !$read || !put $to, $event;
  }
  close $to;
}
waitpid $child, 0 if $child;
my ($signal, $status) = ($? & 127, $? >> 8);
deny("the program was ended by signal $signal") if $signal;
deny("the program failed with exit status $status") if $status == 1 || $status > 125 || $agent && $status > 2;
exit $status;`;
