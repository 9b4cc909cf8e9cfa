/**
 * The client of the warm host, in Perl without modules: of what machines have (perl, nc, socat, curl) it starts the
 * fastest, and nothing else hands the event on when the host fails. Arguments: dialect, working folder, socket, names of
 * variables with blanks between, and the cold program with its words.
 *
 * It sends `skillctl-guard/1`, dialect, working folder, those names, the cold program, and the variables of these and of
 * our own names that are set, each ended by NUL, an empty field, then the event as it comes. The host answers dots while it works, then `<mark> <status>`, a line end, standard output, mark, standard
 * error, mark; or `no` when the cold program has to answer. Silence of two seconds, an answer that is not whole, or none,
 * and the cold program gets the same bytes. When that gives no answer either, the event is denied.
 *
 * No single quote may stand in it, since a shell hands it on between such.
 */
export const CLIENT = String.raw`
my ($dialect, $cwd, $socket, $variables, @cold) = @ARGV;
my ($event, $open, $warm) = ("", 1, 1);
my ($limit, $quiet, $most) = (8388608, 2, 60);
$SIG{PIPE} = "IGNORE";

sub put {
  my ($to, $bytes) = @_;
  for (my $at = 0; $at < length $bytes;) {
    my $n = syswrite $to, $bytes, 65536, $at;
    if (defined $n) { $at += $n }
    elsif ($! == 11 || $! == 35) { my $w = ""; vec($w, fileno $to, 1) = 1; select undef, $w, undef, undef }
    elsif ($! != 4) { return 0 }
  }
  return 1;
}

sub take {
  my $n = sysread STDIN, $event, 65536, length $event;
  return $n if defined $n;
  return $! == 4 || $! == 11 || $! == 35 ? -1 : 0;
}

sub ask {
  my ($folder) = $socket =~ m{^(.*)/};
  my @facts = lstat $folder;
  return "" unless @facts && -d _ && $facts[4] == $> && !($facts[2] & 077);
  socket my $host, 1, 1, 0 or return "";
  local $SIG{ALRM} = sub { die "late" };
  alarm $quiet;
  my $address = $^O =~ /linux|solaris/ ? pack "Sa108", 1, $socket : pack "CCa104", 106, 1, $socket;
  connect $host, $address or return "";
  my %named = map { ($_, 1) } split / /, $variables;
  my @set = map { "$_=$ENV{$_}" } grep { $named{$_} || /^SKILLCTL_/ } sort keys %ENV;
  put $host, join("\0", "skillctl-guard/1", $dialect, $cwd, $variables, "@cold", @set) . "\0\0" or return "";
  my $said = "";
  for (;;) {
    my $ready = "";
    vec($ready, 0, 1) = 1 if $open;
    vec($ready, fileno $host, 1) = 1;
    select $ready, undef, undef, undef;
    if ($open && vec $ready, 0, 1) {
      my $n = take();
      if ($n == 0) { $open = 0; shutdown $host, 1 }
      elsif ($n > 0) { return "" if length $event > $limit; put $host, substr $event, -$n or return "" }
    }
    if (vec $ready, fileno $host, 1) {
      my $n = sysread $host, $said, 65536, length $said;
      last unless $n;
      $said =~ s/^\.+//;
      return "" if time - $^T > $most;
      alarm $quiet;
    }
  }
  return $said;
}

sub deny {
  put *STDERR, "skillctl guard denies this, because it cannot be judged: $_[0].\n";
  exit 2;
}

if (length $cwd && defined $ENV{HOME} && ($ENV{SKILLCTL_GUARD_HOST} // "") ne "off" && stat STDIN) {
  my $said = eval { ask() };
  unlink $socket if !defined $said && -S $socket;
  alarm 0;
  if (defined $said && $said =~ /\A(skillctl-[0-9a-f]{16}) ([0-9]{1,3})\n(.*?)\1(.*?)\1\z/s) {
    my ($status, $out, $err) = ($2, $3, $4);
    put *STDOUT, $out;
    put *STDERR, $err;
    exit $status;
  }
  $warm = 0 if defined $said && $said eq "no\n";
}
else { $warm = 0 }

my @words = (@cold, "guard", "--dialect", $dialect, $warm ? "--warm" : ());
my ($from, $to);
my $piped = length $event || !$open;
pipe $from, $to or deny("there is no pipe") if $piped;
my $child = fork;
deny("no process can be started") unless defined $child;
if (!$child) {
  $SIG{PIPE} = "DEFAULT";
  if ($piped) { close $to; open STDIN, "<&", $from; close $from }
  exec { $words[0] } @words;
  deny("$words[0] cannot be started ($!). Run: skillctl hooks install");
}
if ($piped) {
  close $from;
  $open = 0 unless put $to, $event;
  while ($open) {
    last if waitpid($child, 1) == $child && ($child = 0, 1);
    my $ready = "";
    vec($ready, 0, 1) = 1;
    next unless select($ready, undef, undef, 0.1) > 0;
    $event = "";
    my $n = take();
    last if $n == 0 || $n > 0 && !put $to, $event;
  }
  close $to;
}
waitpid $child, 0 if $child;
my ($signal, $status) = ($? & 127, $? >> 8);
deny("the program was ended by signal $signal") if $signal;
deny("the program failed with exit status $status") if $status == 1 || $status > 125;
exit $status;
`;
